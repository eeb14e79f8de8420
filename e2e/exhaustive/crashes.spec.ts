/** GPU processes that crash: the run's curve stays the same, to the bit, and the page says at once what happens. */
import type { Browser, Page } from '@playwright/test';
import { Random } from '../../src/base/random.ts';
import { SEED } from '../../src/base/testing/tier.ts';
import { expect, test } from '../fixtures.ts';
import { crashGpu, LOST, survivesCrashes } from '../gpu-crash.ts';
import { keptCurve, keptRuns } from '../kept.ts';
import { RunPage } from '../run.ts';

const CRASHES = Number(process.env['WGRAD_CRASHES'] ?? 20);

test.use({ engine: 'gpu', launchOptions: survivesCrashes });

/** Milliseconds until the page shows a text, by its own clock. It looks from now on. */
const timeUntilShown = (page: Page, text: string): Promise<number> =>
  page.evaluate(
    (wanted) =>
      new Promise<number>((done) => {
        const start = performance.now();
        const timer = setInterval(() => {
          if (!document.body.textContent.includes(wanted)) return;
          clearInterval(timer);
          done(performance.now() - start);
        }, 10);
      }),
    text,
  );

/** Milliseconds from a crash until the page says so. */
async function crash(page: Page, browser: Browser): Promise<number> {
  const shown = timeUntilShown(page, LOST);
  await crashGpu(browser);
  return shown;
}

/** Pauses, which saves, and returns the losses of all steps that are kept of the newest run. */
async function pausedLosses(run: RunPage): Promise<Float32Array> {
  await run.press('Pause');
  await expect(run.value('Status')).toHaveText('Paused');
  const { id } = (await keptRuns(run.page)).at(-1)!;
  const { step, loss } = await keptCurve(run.page, id);
  expect([...step]).toEqual([...step].map((_, at) => at + 1));
  return loss!;
}

test(`${CRASHES} crashes at random steps, seed ${SEED}`, async ({ page, browser, complaints }) => {
  complaints.allow(/GPU/);
  test.setTimeout(120_000 + CRASHES * 60_000);
  const random = new Random(SEED, 'crashes');
  const run = await RunPage.open(page);
  await run.chooseSmallModel();
  await run.set('Batch size', '8');
  await run.pace(100);
  await run.press('Train');
  let slowest = 0;
  for (let crashed = 0; crashed < CRASHES; crashed++) {
    const at = Math.max(0, await run.read('Step')) + 1 + random.below(40);
    await run.reaches(at);
    const ms = await crash(page, browser);
    slowest = Math.max(slowest, ms);
    // Until then, the page shows a step from which the run goes back to its checkpoint.
    await expect(page.getByText(LOST)).toBeHidden({ timeout: 90_000 });
    await run.reaches(at + 5, 90_000);
    // A third loss without a new checkpoint would end the run.
    await run.press('Pause');
    await expect(run.value('Status')).toHaveText('Paused');
    await run.press('Resume');
  }
  const disturbed = await pausedLosses(run);
  expect(disturbed.length).toBeGreaterThan(5 * CRASHES);
  // What is kept of a curve's first part.
  expect(disturbed.length).toBeLessThan(2048);
  await run.press('Restart');
  await run.reaches(disturbed.length, 120_000);
  const undisturbed = await pausedLosses(run);
  expect([...undisturbed.slice(0, disturbed.length)]).toEqual([...disturbed]);
  console.log(
    `${CRASHES} crashes in ${disturbed.length} steps: the same losses; shown within ${slowest.toFixed(0)} ms`,
  );
});
