import { browser } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { RunPage, ZERO } from './run.ts';

/** A bar, slightly slanted. */
const ONE = Array.from({ length: 9 }, (_, i) => [0.55 - 0.01 * i, 0.15 + 0.0875 * i] as const);

// Without the flag that lets WebGPU take SwiftShader, there is no adapter.
test.use({ launchOptions: browser() });

test('without WebGPU a user trains LeNet-5 on the CPU, draws, resumes after a reload, and repeats the run', async ({
  page,
}) => {
  const run = await RunPage.open(page);
  await expect(run.device(/CPU \(WebAssembly/)).toHaveAttribute('data-tone', 'info');
  await expect(await run.engine('CPU')).toBeChecked();
  await expect(page.getByText('Training runs on the CPU here')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Training runs on the CPU here')).toBeHidden();
  await expect(run.device(/CPU/)).toHaveAttribute('data-tone', 'good');

  await expect(run.value('Loss')).toHaveText('–');
  // Twice the usual rate learns as well, and gets there in one epoch.
  await run.set('Learning rate', '0.002');
  await run.openLosses();

  await run.press('Train');
  await expect(run.value('Status')).toHaveText('Training');
  await run.reaches(10);
  const first = (await run.shownLosses()).slice(0, 10);
  expect(first.map(([step]) => step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  // Guessing among ten classes gives a loss of ln 10.
  expect(Number(first[0][1])).toBeCloseTo(Math.log(10), 0);
  await run.reaches(100);
  expect(await run.read('Loss')).toBeLessThan(1);
  expect(await run.read('Images/s')).toBeGreaterThan(0);

  await expect.poll(() => run.read('Test accuracy'), { message: 'test accuracy in %' }).toBeGreaterThan(95);
  expect(await run.read('Epoch')).toBeLessThanOrEqual(3);

  // The model predicts while it trains.
  await run.draw(ZERO);
  await expect(run.answer()).toHaveText('0');

  await run.press('Pause');
  await expect(run.value('Status')).toHaveText('Paused');

  const step = await run.read('Step');
  await run.press('Step');
  await expect(run.value('Step')).toHaveText((step + 1).toLocaleString('en'));
  await expect(run.value('Status')).toHaveText('Paused');
  // Nothing continues during a pause.
  await page.waitForTimeout(1000);
  expect(await run.read('Step')).toBe(step + 1);

  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(run.answer()).toHaveText('–');
  await run.draw(ONE);
  await expect(run.answer()).toHaveText('1');

  await page.reload();
  await run.ready();
  await page
    .getByRole('button', { name: /^Resume/ })
    .first()
    .click();
  await run.reaches(step + 10);
  expect(await run.read('Test accuracy')).toBeGreaterThan(95);
  await run.openLosses();

  await run.press('Restart');
  await expect(run.value('Test accuracy')).toHaveText('–');
  await run.reaches(10);
  expect((await run.shownLosses()).slice(0, 10)).toEqual(first);

  await run.press('Stop');
  await expect(run.value('Status')).toHaveText('Stopped');
  await page.getByRole('button', { name: 'Clear' }).click();
  await run.draw(ZERO);
  await expect(run.answer()).toHaveText(/^\d$/);
  await expect(page.getByText(/^Prediction after \d+ steps\.$/)).toBeVisible();
});
