/** The browser's storage, full or cleared by the browser itself. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { keptCurve, keptRuns } from './kept.ts';
import { RunPage } from './run.ts';

const resume = (page: Page) => page.getByRole('button', { name: /^Resume from step/ });

/** Trains for a few steps and pauses; the step, which is saved if storage allows it. */
async function trainedAndPaused(run: RunPage, control: 'Train' | 'Resume'): Promise<number> {
  await run.press(control);
  await run.reaches(((await run.read('Step')) || 0) + 10);
  await run.press('Pause');
  await expect(run.value('Status')).toHaveText('Paused');
  return run.read('Step');
}

test('full: training continues, the page says that it is not saved, the checkpoint before stays; with room again it is saved', async ({
  page,
}) => {
  const run = await RunPage.open(page);
  await run.chooseSmallModel();
  await run.set('Batch size', '8');
  await run.pace(100);
  const origin = await page.evaluate(() => location.origin);
  const cdp = await page.context().newCDPSession(page);
  const first = await trainedAndPaused(run, 'Train');
  await cdp.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
  const refusal = page.getByText('This run is not being saved for your next visit');
  const unsaved = await trainedAndPaused(run, 'Resume');
  expect(unsaved).toBeGreaterThan(first);
  await expect(refusal).toBeVisible();
  await expect(page.getByText(/it is full/)).toBeVisible();
  const [{ id, checkpoint }] = await keptRuns(page);
  expect(checkpoint?.step).toBe(first);
  expect((await keptCurve(page, id)).step.length).toBeGreaterThanOrEqual(first);

  await cdp.send('Storage.overrideQuotaForOrigin', { origin });
  const saved = await trainedAndPaused(run, 'Resume');
  expect((await keptRuns(page))[0].checkpoint?.step).toBe(saved);
  const { step } = await keptCurve(page, id);
  expect([...step]).toEqual(Array.from({ length: saved }, (_, at) => at + 1));
  await page.reload();
  await expect(resume(page)).toHaveText(`Resume from step ${saved}`);
});

test('cleared: the page says so and starts afresh, and trains and saves', async ({ page }) => {
  const run = await RunPage.open(page);
  await run.chooseSmallModel();
  await run.set('Batch size', '8');
  await run.pace(100);
  await trainedAndPaused(run, 'Train');
  const origin = await page.evaluate(() => location.origin);
  const cdp = await page.context().newCDPSession(page);
  const lost = page.getByText('The browser has deleted your runs').filter({ visible: true });
  const clearedOf = async (storageTypes: string) => {
    // What an open page is still writing would outlast it; browsers, too, spare the storage of open pages.
    const url = page.url();
    await page.goto('about:blank');
    await cdp.send('Storage.clearDataForOrigin', { origin, storageTypes });
    await page.goto(url);
    await run.ready();
    await expect(resume(page)).toHaveCount(0);
    expect(await keptRuns(page)).toEqual([]);
  };
  // What browsers clear where space runs short.
  await clearedOf('file_systems,indexeddb,cache_storage');
  await expect(lost).toBeVisible();
  await page.reload();
  await run.ready();
  await expect(lost).toHaveCount(0);
  // All, as a person does: nothing is left that could say so.
  await trainedAndPaused(run, 'Train');
  await clearedOf('all');
  await expect(lost).toHaveCount(0);
  await run.chooseSmallModel();
  await run.set('Batch size', '8');
  await run.pace(100);
  const step = await trainedAndPaused(run, 'Train');
  expect((await keptRuns(page))[0].checkpoint?.step).toBe(step);
});
