import type { Page } from '@playwright/test';
import { ANY_GPU, browser } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { slowness, takenFor } from './processor-time.ts';
import { RunPage } from './run.ts';

/** Milliseconds of the main thread in one task, for which an input waits. Up to 20 are usual. */
const TASK_MS = 100;
/** The main thread's mean share of a frame, in milliseconds: 3 are usual. */
const FRAME_MS = 8;
/** Steps are shown every tenth of a second, or when the steps in flight are done: so often until a click has acted. */
const MOST_SHOWN = 5;
/** A slow step is submitted alone; what is shown may be one behind. */
const IN_FLIGHT = 2;

// A GPU that is slow everywhere.
test.use({ launchOptions: browser(ANY_GPU, '--use-webgpu-adapter=swiftshader') });

/** Does `work`, in which there are inputs, none of which waits for a long task. */
async function expectHandled(page: Page, work: () => Promise<void>): Promise<void> {
  const { longest } = await takenFor(page, work);
  expect(longest, 'ms of the longest task').toBeLessThan(TASK_MS * (await slowness(page)));
}

/** How often the page shows another step from the next click on, until it shows this status. */
const shownUntil = (page: Page, status: string): Promise<number> =>
  page.evaluate(
    (wanted) =>
      new Promise<number>((done) => {
        const output = (name: string) =>
          [...document.querySelectorAll('label')].find(({ textContent }) => textContent === name)!.control!;
        const [step, state] = [output('Step'), output('Status')];
        let shown = 0;
        let before = step.textContent;
        const watch = new MutationObserver(() => {
          if (step.textContent !== before) shown++;
          before = step.textContent;
          if (state.textContent !== wanted) return;
          watch.disconnect();
          done(shown);
        });
        addEventListener(
          'click',
          () => watch.observe(document.body, { subtree: true, childList: true, characterData: true }),
          { capture: true, once: true },
        );
      }),
    status,
  );

/** What a person does while it trains. */
async function useIt(run: RunPage): Promise<void> {
  const { page } = run;
  const theme = () => page.evaluate(() => document.documentElement.dataset['theme']);
  await run.openMenu();
  for (const name of ['Dark', 'Light', 'Dark', 'Light']) {
    await page.getByRole('radio', { name }).click();
    await expect.poll(theme, { intervals: [10] }).toBe(name.toLowerCase());
  }
  await page.keyboard.press('Escape');
  await run.draw([
    [0.5, 0.2],
    [0.6, 0.4],
    [0.5, 0.8],
  ]);
  await expect(run.answer()).toHaveText(/^\d$/);
  const before = await run.read('Step');
  await run.reaches(before + 10);
}

test('while it trains, the page responds', async ({ page }) => {
  const run = await RunPage.open(page);
  await run.openLosses();
  await run.press('Train');
  await run.reaches(5);
  await expectHandled(page, () => useIt(run));
  const shown = shownUntil(page, 'Paused');
  await run.press('Pause');
  expect(await shown, 'times that steps were shown until it paused').toBeLessThanOrEqual(MOST_SHOWN);
  await run.press('Stop');
});

test('at full speed the main thread has time for more', async ({ page }) => {
  const run = await RunPage.open(page);
  await run.press('Train');
  await run.reaches(20);
  const { frames, longest } = await takenFor(page, () => run.reaches(250));
  const slow = await slowness(page);
  expect(frames.length, 'frames').toBeGreaterThan(100);
  const mean = frames.reduce((sum, ms) => sum + ms, 0) / frames.length;
  expect(mean, 'ms of the main thread in a frame').toBeLessThan(FRAME_MS * slow);
  expect(longest, 'ms of the longest task').toBeLessThan(TASK_MS * slow);
  await run.press('Stop');
});

test.describe('on a GPU', () => {
  test.use({ engine: 'gpu' });

  test('that takes long for a step: the page responds, and a pause waits for the steps in flight alone', async ({
    page,
  }) => {
    const run = await RunPage.open(page);
    await run.set('Batch size', '2000');
    await run.press('Train');
    await run.reaches(3);
    await expectHandled(page, async () => {
      await run.openMenu();
      for (const name of ['Dark', 'Light']) await page.getByRole('radio', { name }).click();
      await page.keyboard.press('Escape');
      await run.press('Pause');
      const before = await run.read('Step');
      await expect(run.value('Status')).toHaveText('Paused');
      expect((await run.read('Step')) - before, 'steps after Pause').toBeLessThanOrEqual(IN_FLIGHT);
    });
    await run.press('Stop');
  });
});
