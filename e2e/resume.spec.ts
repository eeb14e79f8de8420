import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { writeDownLosses, writtenLosses } from './losses.ts';
import { RunPage } from './run.ts';
import { showScreen } from './screens.ts';

const resume = (page: Page) => page.getByRole('button', { name: /^Resume from step/ });

/** Few images per step, so that a software GPU does many steps. */
const BATCH = '4';

test('ResNet-8 on shapes: paused, reloaded and resumed, with the same losses', async ({ page }) => {
  const run = await RunPage.open(page);
  await run.choose('Synthetic shapes');
  await page.getByRole('combobox', { name: 'Model' }).selectOption({ label: 'ResNet-8' });
  await run.set('Batch size', BATCH);
  // The table shows the last ten steps: none of them may pass unseen.
  await run.pace(5);
  await run.press('Train');
  await run.reaches(4);
  await run.press('Pause');
  await expect(run.value('Status')).toHaveText('Paused');
  const at = await run.read('Step');

  await page.reload();
  await expect(resume(page)).toHaveText(`Resume from step ${at}`);
  // Nothing starts by itself.
  await run.ready();
  expect(await run.read('Step')).toBe(0);
  await run.openLosses();
  await writeDownLosses(page);
  await resume(page).click();
  await run.reaches(at + 5);
  await expect(resume(page)).toBeHidden();
  await expect(page.getByLabel('Batch size', { exact: true })).toHaveValue(BATCH);
  await run.press('Pause');
  await expect(run.value('Status')).toHaveText('Paused');
  const resumed = await writtenLosses(page);

  await run.press('Restart');
  await expect(run.value('Status')).toHaveText('Training');
  await writeDownLosses(page);
  await run.reaches(at + 5);
  await run.press('Stop');
  const undisturbed = await writtenLosses(page);
  const steps = Object.keys(resumed).map(Number);
  // The whole curve is there, not only what came after the checkpoint.
  expect(Math.min(...steps)).toBe(1);
  expect(steps).toContain(at + 1);
  const common = steps.filter((step) => step in undisturbed);
  expect(common.length, 'steps that both runs showed').toBeGreaterThan(2);
  for (const step of common) expect(resumed[step], `loss of step ${step}`).toBe(undisturbed[step]);
});

test('a run stops early at its target accuracy and continues; deleted, it is not offered again; one that diverges offers to roll back', async ({
  page,
}) => {
  const run = await RunPage.open(page);
  await run.chooseSmallModel();
  await run.set('Batch size', '500');
  await run.set('Target accuracy', '20');
  await run.press('Train');
  await expect(run.value('Status')).toHaveText('Stopped early');
  await expect(page.getByText(/Target accuracy reached: .* % in epoch 1 \(target 20 %\)/)).toBeVisible();
  expect(await run.read('Step')).toBe(20);
  await expect(run.value('Epoch')).toHaveText('1');
  await run.press('Step');
  await expect(run.value('Step')).toHaveText('21');
  // Epochs are counted when they are completed, here as everywhere.
  await expect(run.value('Epoch')).toHaveText('1');
  await expect(page.getByText('Stopped early', { exact: true })).toBeHidden();

  await page.reload();
  await expect(resume(page)).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(resume(page)).toBeHidden();
  await page.reload();
  await run.ready();
  await expect(resume(page)).toBeHidden();

  await page.getByRole('combobox', { name: 'Model' }).selectOption({ label: 'LeNet-5' });
  await run.set('Batch size', '8');
  await page.getByLabel('Optimiser', { exact: true }).selectOption({ label: 'SGD' });
  await run.set('Learning rate', '10');
  await run.set('Momentum', '0.9');
  await run.press('Train');
  // At step 268.
  await expect(page.getByRole('alert')).toContainText(/Training diverged at step \d+/);
  await expect(run.value('Status')).toHaveText('Failed');
  // It stands beside an open drawer, and goes when it is dismissed.
  await run.open('Advanced');
  const drawer = (await page.getByRole('dialog', { name: 'Advanced' }).boundingBox())!;
  const notice = (await page.getByRole('alert').boundingBox())!;
  expect(notice.x).toBeGreaterThanOrEqual(drawer.x + drawer.width);
  await run.closePanel();
  await page.getByRole('button', { name: /^Return to step [\d,]+ and set the learning rate to 1$/ }).click();
  await expect(page.getByLabel('Learning rate', { exact: true })).toHaveValue('1');
  await expect(run.value('Status')).not.toHaveText('Preparing');
});

const REFUSAL = 'new DOMException("not in this window", "SecurityError")';

/** Puts code in place of other code in the scripts whose names match. */
async function replaceInScripts(page: Page, files: RegExp, code: Record<string, string>): Promise<void> {
  await page.route(files, async (route) => {
    const response = await route.fetch();
    let body = await response.text();
    for (const [before, after] of Object.entries(code)) body = body.replaceAll(before, after);
    await route.fulfill({ response, body });
  });
}

test('without private files in the browser a run is saved in its database', async ({ page }) => {
  await replaceInScripts(page, /\/(main|worker)-[^/]*\.js$/, {
    'navigator.storage.getDirectory()': `Promise.reject(${REFUSAL})`,
  });
  const run = await RunPage.open(page);
  await run.chooseSmallModel();
  await run.set('Batch size', '8');
  await run.press('Train');
  await run.reaches(5);
  await run.press('Pause');
  await expect(run.value('Status')).toHaveText('Paused');
  const step = await run.read('Step');
  await expect(page.getByText('This run is not being saved for your next visit')).toBeHidden();
  // What is shown as paused is saved.
  await page.reload();
  await expect(resume(page)).toHaveText(`Resume from step ${step.toLocaleString('en')}`);
  await resume(page).click();
  await run.reaches(step + 2);
  await run.press('Stop');
});

test('without storage in the browser a run still trains, and the page says so', async ({ page }) => {
  await replaceInScripts(page, /\/(main|worker)-[^/]*\.js$/, {
    'navigator.storage.getDirectory()': `Promise.reject(${REFUSAL})`,
    'indexedDB.open(': `(() => { throw ${REFUSAL}; })(`,
  });
  const run = await RunPage.open(page);
  await run.chooseSmallModel();
  await run.set('Batch size', '8');
  await run.press('Train');
  await run.reaches(5);
  await run.press('Pause');
  await expect(page.getByText('This run is not being saved for your next visit')).toBeVisible();
  await expect(page.getByText(/could not save runs: not in this window/)).toBeVisible();
  await run.press('Resume');
  await run.reaches((await run.read('Step')) + 5);
  await run.press('Stop');
});

test('two tabs each save a run, and each finds its own after a reload, with its evaluations', async ({
  page,
  context,
}) => {
  const first = await RunPage.open(page);
  const second = await RunPage.open(await context.newPage());
  for (const [run, seed] of [
    [first, '1'],
    [second, '2'],
  ] as const) {
    await run.chooseSmallModel();
    await run.set('Batch size', '500');
    await run.set('Seed', seed);
    await run.set('Target accuracy', '1');
  }
  const pausesAt = async (run: RunPage, step: number) => {
    await run.reaches(step);
    await expect(run.value('Status')).toHaveText('Stopped early');
  };
  // Each says that the other one trains, too.
  await Promise.all([first.pace('slow motion'), second.pace('slow motion')]);
  await Promise.all([first.press('Train'), second.press('Train')]);
  for (const run of [first, second])
    await expect(run.page.getByText('Another tab is also training').filter({ visible: true })).toBeVisible();
  // Each pauses after an epoch of 20 steps.
  await Promise.all([first.pace('full'), second.pace('full')]);
  await Promise.all([pausesAt(first, 20), pausesAt(second, 20)]);
  await showScreen(page, 'Runs');
  await expect(page.getByRole('region', { name: 'Table of runs' })).toContainText('Stopped early, other tab');
  await showScreen(page, 'Train');
  await first.press('Resume');
  await pausesAt(first, 40);

  await Promise.all([page.reload(), second.page.reload()]);
  await expect(resume(page)).toHaveText('Resume from step 40');
  await expect(resume(second.page)).toHaveText('Resume from step 20');
  await resume(second.page).click();
  await pausesAt(second, 40);
  await second.expectSetting('Seed', '2');
  await second.page.close();
  await resume(page).click();
  await pausesAt(first, 60);
  await first.expectSetting('Seed', '1');

  // Evaluations from before the reload are available: the confusion matrix of every epoch.
  await page.goto('#/inspect/mistakes');
  const tests = page.getByRole('slider', { name: 'Test' });
  await expect(tests).toHaveAttribute('aria-valuetext', /^3 of 3, step 60, after epoch 3$/);
  await tests.fill('0');
  await expect(tests).toHaveAttribute('aria-valuetext', /^1 of 3, step 20, /);
});
