import { beforeWorker, expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

const [NARROW, WIDE] = [
  { width: 390, height: 844 },
  { width: 844, height: 390 },
];
test.use({ viewport: NARROW, hasTouch: true, engine: 'gpu' });

/** A GPU that has WebGPU in compatibility mode only. */
const WEAK = `
  const request = GPU.prototype.requestAdapter;
  GPU.prototype.requestAdapter = function (options) {
    return options?.featureLevel === 'compatibility' ? request.call(this, options) : Promise.resolve(null);
  };
`;

test('a phone in compatibility mode trains, and continues when it is turned', async ({ page }) => {
  await beforeWorker(page, WEAK);
  // Of which a run may have half.
  await page.addInitScript(() => Object.defineProperty(navigator, 'deviceMemory', { value: 0.25 }));
  const run = await RunPage.open(page);
  await expect(page.getByTitle(/compatibility mode$/)).toBeVisible();
  await page.getByRole('radio', { name: 'Settings' }).check();
  const warning = page.getByText(/of memory, and this device may have only 128 MiB/);
  await run.set('Batch size', '4096');
  await expect(warning).toBeVisible();
  await run.set('Batch size', '16');
  await expect(warning).toBeHidden();
  // limits.spec.ts trains LeNet-5 within the same limits.
  await run.chooseSmallModel();
  await run.openMenu();
  await page.getByLabel('Keep the screen on while training').check();
  await page.keyboard.press('Escape');
  await run.press('Train');
  await run.reaches(10);
  for (const size of [WIDE, NARROW]) {
    const before = await run.read('Step');
    await page.setViewportSize(size);
    await run.reaches(before + 10);
    await expect(run.value('Status')).toHaveText('Training');
    const across = () => page.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(across, 'px across').toBeLessThanOrEqual(size.width);
  }
  await expect.poll(() => run.read('Loss')).toBeLessThan(1);
  await run.press('Stop');
  await expect(run.value('Status')).toHaveText('Stopped');
  await page.unrouteAll();
  await page.reload();
  await run.openMenu();
  await expect(page.getByLabel('Keep the screen on while training')).toBeChecked();
});
