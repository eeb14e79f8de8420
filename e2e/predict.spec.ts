import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

let root: string;
test.beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'wgrad-predict-'));
});
test.afterEach(() => rmSync(root, { recursive: true }));

test('the test set and own images are predicted with the weights of a run, and downloaded', async ({
  page,
}) => {
  await RunPage.finished(page);
  await page.getByRole('link', { name: 'Runs' }).click();
  await page
    .getByRole('row', { name: /Softmax regression/ })
    .getByRole('button', { expanded: false })
    .click();
  await page.getByRole('button', { name: 'Predict', exact: true }).click();

  await expect(page.getByRole('combobox', { name: 'Weights' })).not.toHaveValue('current');
  await expect(page.getByRole('combobox', { name: 'Images' })).toHaveValue('digits');
  await page.getByRole('button', { name: 'Predict', exact: true }).click();
  await expect(page.getByText('Synthetic digits, test.')).toBeVisible();
  await expect(page.getByText('50 of 2,000')).toBeVisible();
  const shown = await page.getByRole('definition').first().innerText();
  const accuracy = Number.parseFloat(shown);
  expect(accuracy).toBeGreaterThan(15);
  await page.getByText('Mistakes', { exact: true }).last().click();
  await expect(page.getByText(/of [\d,]+ mistakes/)).toBeVisible();
  await expectAccessible(page);

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'JSON lines' }).click();
  const path = join(root, 'predictions.jsonl');
  await (await saving).saveAs(path);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(2000);
  const predicted = lines.map((line) => JSON.parse(line) as { label: number; class: number });
  const correct = predicted.filter((one) => one.label === one.class).length;
  expect(correct / 20).toBeCloseTo(accuracy, 2);

  for (const digit of ['3', '7']) {
    mkdirSync(join(root, 'own', digit), { recursive: true });
    const picture = new PNG({ width: 28, height: 28 });
    picture.data.fill(255);
    writeFileSync(join(root, 'own', digit, 'blank.png'), PNG.sync.write(picture));
  }
  await page.getByLabel('Folder of images to predict').setInputFiles(join(root, 'own'));
  await page.getByRole('button', { name: 'Predict', exact: true }).click();
  await expect(page.getByText('own/7/blank.png')).toBeVisible();
  await expect(page.getByText('2 of 2')).toBeVisible();

  // Weights of another network, without their model.
  writeFileSync(
    join(root, 'w.safetensors'),
    Buffer.concat([Buffer.from([2, 0, 0, 0, 0, 0, 0, 0]), Buffer.from('{}')]),
  );
  await page.getByLabel('Weights file').setInputFiles(join(root, 'w.safetensors'));
  await page.getByRole('button', { name: 'Predict', exact: true }).click();
  await expect(page.getByText('w.safetensors does not contain its model.')).toBeVisible();
});
