import { browser } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { RunPage, ZERO } from './run.ts';

// Without the flag that lets WebGPU take SwiftShader, there is no adapter.
test.use({ launchOptions: browser() });

test('without WebGPU a network learns on the CPU; a paused run resumes after a reload', async ({ page }) => {
  const run = await RunPage.open(page);
  await expect(run.device(/CPU \(WebAssembly/)).toHaveAttribute('data-tone', 'warning');
  await expect(await run.engine('CPU')).toBeChecked();
  await expect(page.getByText('Training runs on the CPU here')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Training runs on the CPU here')).toBeHidden();
  await expect(run.device(/CPU/)).toHaveAttribute('data-tone', 'good');

  // Twice the usual rate learns as well, and gets there in one epoch.
  await run.set('Learning rate', '0.002');
  await run.press('Train');
  await expect
    .poll(() => run.read('Test accuracy'), { timeout: 60_000, message: 'test accuracy in %' })
    .toBeGreaterThan(95);
  await run.draw(ZERO);
  await expect(run.answer()).toHaveText('0');
  await run.press('Pause');
  await expect(run.value('Status')).toHaveText('Paused');
  const step = await run.read('Step');

  await page.reload();
  await run.ready();
  await page
    .getByRole('button', { name: /^Resume/ })
    .first()
    .click();
  await run.reaches(step + 10);
  expect(await run.read('Test accuracy')).toBeGreaterThan(95);
  await run.press('Stop');
});
