import type { Page, Worker } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

const screen = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true }).click();

/** The page's worker, without its threads. */
function workerOf(page: Page): Worker {
  const worker = page.workers().findLast((one) => /\/main-[^/]*\.js$/.test(one.url()));
  if (!worker) throw new Error('the page has no worker');
  return worker;
}

/** What would run if a name were taken for markup. */
const MARKUP = '<img src=x onerror="alert(1)"><b>bold</b>';

test('names with markup are text; a worker that ends without a word, or hangs, is noticed in two seconds, and runs stay', async ({
  page,
}) => {
  const run = await RunPage.finished(page);
  await screen(page, 'Runs');
  const rows = page.getByRole('region', { name: 'Table of runs' }).getByRole('row');
  await rows.getByRole('button', { name: /^[a-z]+-[a-z]+-1$/ }).click();
  await page.getByLabel('Name', { exact: true }).fill(MARKUP);
  await page.getByLabel('Note', { exact: true }).fill(MARKUP);
  await page.getByLabel('Name', { exact: true }).focus();
  await expect(page.getByRole('heading', { level: 2, name: MARKUP, exact: true })).toBeVisible();
  await expect(page.locator('img[src="x"]')).toHaveCount(0);
  await screen(page, 'Train');

  const restart = page.getByRole('button', { name: 'Restart worker' }).filter({ visible: true });
  const ends = async (what: string, title: string, end: (worker: Worker) => Promise<unknown>) =>
    test.step(what, async () => {
      // Its answer is lost with it.
      void end(workerOf(page)).catch(() => undefined);
      await expect(page.getByText(title, { exact: true }).filter({ visible: true })).toBeVisible({
        timeout: 3000,
      });
      await restart.click();
      await run.ready();
      await expect(restart).toHaveCount(0);
      await screen(page, 'Runs');
      await expect(rows.getByRole('button', { name: MARKUP, exact: true })).toBeVisible();
      await screen(page, 'Train');
    });
  await ends('a worker that ends', 'The training worker crashed', (worker) =>
    worker.evaluate(() => {
      self.close();
    }),
  );
  await ends('a worker that hangs', 'The training worker does not respond', (worker) =>
    worker.evaluate(() => {
      // Not in the evaluation itself, which the debugger protects from being interrupted.
      setTimeout(() => {
        for (;;);
      });
    }),
  );
  await page
    .getByRole('button', { name: /^Resume from step 20/ })
    .filter({ visible: true })
    // Runs, which has one too, may still be on its way out.
    .first()
    .click();
  await run.reaches(21);
  await run.press('Stop');
});

test.describe('on a GPU', () => {
  test.use({ engine: 'gpu' });

  test('that hangs: the page says so in five seconds, and reloads on the CPU', async ({ page }) => {
    const run = await RunPage.open(page);
    await workerOf(page).evaluate(() => {
      GPUQueue.prototype.onSubmittedWorkDone = () => new Promise(() => undefined);
    });
    await expect(page.getByText('GPU busy')).toBeVisible({ timeout: 6000 });
    // The page can still be used.
    await screen(page, 'Build');
    await screen(page, 'Train');
    await page.getByRole('button', { name: 'Reload on the CPU' }).filter({ visible: true }).click();
    await expect(run.device('CPU')).toBeVisible();
    await run.ready();
    await expect(page.getByText('GPU busy')).toHaveCount(0);
  });
});
