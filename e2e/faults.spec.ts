import type { Worker } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { keptRuns } from './kept.ts';
import { hang, RunPage } from './run.ts';
import { showScreen } from './screens.ts';

/** What would run if a name were taken for markup. */
const MARKUP = '<img src=x onerror="alert(1)"><b>bold</b>';

test('names with markup are text; a worker that ends without a word, or hangs, is noticed, and runs stay', async ({
  page,
}) => {
  const run = await RunPage.finished(page);
  await showScreen(page, 'Runs');
  const rows = page.getByRole('region', { name: 'Table of runs' }).getByRole('row');
  await rows.getByRole('button', { name: /^[a-z]+-[a-z]+-1$/ }).click();
  await page.getByLabel('Name', { exact: true }).fill(MARKUP);
  await page.getByLabel('Note', { exact: true }).fill(MARKUP);
  await page.getByLabel('Name', { exact: true }).focus();
  await expect(page.getByRole('heading', { level: 2, name: MARKUP, exact: true })).toBeVisible();
  await expect(page.locator('img[src="x"]')).toHaveCount(0);
  await showScreen(page, 'Train');
  const kept = async () => (await keptRuns(page))[0];
  await expect.poll(kept, 'what a worker keeps').toMatchObject({ name: MARKUP, checkpoint: { step: 20 } });

  const restart = page.getByRole('button', { name: 'Restart worker' }).filter({ visible: true });
  const ends = async (what: string, title: string, end: (worker: Worker) => Promise<unknown>) =>
    test.step(what, async () => {
      // Its answer is lost with it.
      void end(run.worker()).catch(() => undefined);
      await expect(page.getByText(title, { exact: true }).filter({ visible: true })).toBeVisible();
      await restart.click();
      await run.ready();
      await expect(restart).toHaveCount(0);
      await showScreen(page, 'Runs');
      await expect(rows.getByRole('button', { name: MARKUP, exact: true })).toBeVisible();
      await showScreen(page, 'Train');
    });
  await ends('a worker that ends', 'The training worker crashed', (worker) =>
    worker.evaluate(() => {
      self.close();
    }),
  );
  await ends('a worker that hangs', 'The training worker does not respond', (worker) => hang(worker));
  await page
    .getByRole('button', { name: /^Resume from step 20/ })
    // Runs has one, too.
    .filter({ visible: true })
    .click();
  await run.reaches(21);
  await run.press('Stop');
});

test.describe('on a GPU', () => {
  test.use({ engine: 'gpu' });

  test('that hangs: the page says so, and reloads on the CPU', async ({ page }) => {
    const run = await RunPage.open(page);
    await run.worker().evaluate(() => {
      GPUQueue.prototype.onSubmittedWorkDone = () => new Promise(() => undefined);
    });
    await expect(page.getByText('GPU busy')).toBeVisible();
    // The page can still be used.
    await showScreen(page, 'Build');
    await showScreen(page, 'Train');
    await page.getByRole('button', { name: 'Reload on the CPU' }).filter({ visible: true }).click();
    await expect(run.device('CPU')).toBeVisible();
    await run.ready();
    await expect(page.getByText('GPU busy')).toHaveCount(0);
  });
});
