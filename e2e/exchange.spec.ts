import { readFileSync, writeFileSync } from 'node:fs';
import type { Page, TestInfo } from '@playwright/test';
import { readSafetensors, writeSafetensors } from '../src/data/formats/safetensors.ts';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';
import { showScreen } from './screens.ts';

/** Opens a run of the list. */
async function openRun(page: Page, name: string | RegExp): Promise<void> {
  await showScreen(page, 'Runs');
  await page
    .getByRole('region', { name: 'Table of runs' })
    .getByRole('button', { name, exact: true, expanded: false })
    .click();
}

/** The logits of the run that is open in the list, for each image of the test set. */
async function logitsOf(page: Page, info: TestInfo, file: string): Promise<string[]> {
  await page.getByRole('button', { name: 'Predict', exact: true }).click();
  await expect(page.getByRole('combobox', { name: 'Weights' })).not.toHaveValue('current');
  await page.getByRole('combobox', { name: 'Images' }).selectOption('digits');
  await page.getByRole('button', { name: 'Predict', exact: true }).click();
  await expect(page.getByText('Synthetic digits, test.')).toBeVisible();
  await page.getByText('Mistakes', { exact: true }).last().click();
  await expect(page.getByText(/of [\d,]+ mistakes/)).toBeVisible();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'JSON lines' }).click();
  const path = info.outputPath(file);
  await (await saving).saveAs(path);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.stringify((JSON.parse(line) as { logits: number[] }).logits));
}

test('a network leaves as ONNX and comes back: it answers the same, and trains on', async ({
  page,
}, info) => {
  const run = await RunPage.finished(page);
  await openRun(page, /^[a-z]+-[a-z]+-1$/);
  await page.getByRole('button', { name: 'Export model…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Softmax regression, 7,850 parameters');
  const saving = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download ONNX' }).click();
  const file = info.outputPath('net.onnx');
  await (await saving).saveAs(file);
  await expect(dialog.getByText(/softmax_regression\.onnx, /)).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  const before = await logitsOf(page, info, 'before.jsonl');

  await showScreen(page, 'Runs');
  await page.getByLabel('Archives of runs, or networks').setInputFiles(file);
  await expect(dialog).toContainText('Softmax regression: images of 1 × 28 × 28, 10 classes');
  await expect(dialog.getByRole('row', { name: /^fc linear 10 7,850/ })).toBeVisible();
  await dialog.getByRole('button', { name: 'Train further' }).click();
  await expect(
    page.getByText('The next run will be forked from net').filter({ visible: true }),
  ).toBeVisible();
  await expect(page.getByText('Prediction of net, from which the next run starts.').first()).toBeVisible();
  await expect(run.answer()).toHaveText(/^\d$/);
  await run.press('Step');
  await expect(run.value('Step')).toHaveText('1');
  expect(await run.read('Loss'), 'ln(10) is 2.303').toBeLessThan(2);
  await run.press('Stop');

  await openRun(page, 'net');
  expect(await logitsOf(page, info, 'after.jsonl')).toEqual(before);

  await test.step('Build takes it, too', async () => {
    await showScreen(page, 'Runs');
    await page.getByLabel('Archives of runs, or networks').setInputFiles(file);
    await dialog.getByRole('button', { name: 'Open in Build' }).click();
    await expect(page.getByRole('heading', { name: 'Build' })).toBeVisible();
    await expect(page.getByText('Softmax regression imported.')).toBeVisible();
    await showScreen(page, 'Train');
    await expect(page.getByRole('combobox', { name: 'Model' })).toHaveValue('own model');
    await expect(
      page.getByText(/^Prediction of net.*, from which the next run starts\.$/).first(),
    ).toBeVisible();
  });

  await test.step('with the log of its training, it has a curve and an accuracy', async () => {
    const epoch = { epoch: 1, test_loss: 1.625, test_accuracy: 0.8125, seconds: 1, images_per_second: 400 };
    const log = info.outputPath('log.jsonl');
    const lines = [{ step: 1, loss: 2.25 }, { step: 2, loss: 2 }, epoch];
    writeFileSync(log, lines.map((line) => JSON.stringify(line)).join('\n'));
    await showScreen(page, 'Runs');
    await page.getByLabel('Archives of runs, or networks').setInputFiles([file, log]);
    await expect(dialog).toContainText('step 1 to 2, the last test accuracy is 81.25 %');
    await dialog.getByRole('button', { name: 'Open in Build' }).click();
    await showScreen(page, 'Runs');
    await expect(page.getByRole('row', { name: /^Compare net \(\d\).* 81\.25 %/ })).toBeVisible();
  });
});

test('weights without a model: what is assumed is shown, corrected, and checked', async ({ page }, info) => {
  const { tensors } = readSafetensors(
    'lenet5',
    new Uint8Array(readFileSync('public/trained/lenet5.safetensors')),
  );
  const file = info.outputPath('tutorial.safetensors');
  const names: Record<string, string> = { conv1: 'c1', conv2: 'c3', fc1: 'c5', fc2: 'f6', fc3: 'out' };
  const renamed = [...tensors].map(([name, tensor]) => {
    const [layer, own] = name.split('.');
    return [`${names[layer]}.${own}`, tensor] as const;
  });
  writeFileSync(file, writeSafetensors(new Map(renamed)));
  await page.goto('./#/runs');
  await page.getByLabel('Archives of runs, or networks').setInputFiles(file);
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('The layers were inferred from names and shapes.');
  await expect(dialog.getByLabel('Padding')).toHaveValue('2,0');
  await dialog.getByLabel('Pooling after').fill('c9');
  await dialog.getByLabel('Pooling after').press('Enter');
  await expect(dialog).toContainText('there is no convolution “c9”');
  await dialog.getByLabel('Pooling after').fill('c1,c3');
  await dialog.getByLabel('Pooling after').press('Enter');
  await dialog.getByLabel('Activation').selectOption('sigmoid');
  await expect(dialog.getByRole('row', { name: /^c1_sigmoid sigmoid/ })).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Check on' }).selectOption('digits');
  await dialog.getByRole('button', { name: 'Check accuracy' }).click();
  await expect(dialog.getByRole('status').filter({ hasText: 'test images are right' })).toBeVisible();
});
