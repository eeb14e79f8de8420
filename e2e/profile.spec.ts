import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';
import { showScreen } from './screens.ts';

test('a profile of a LeNet-5 step, while a run is paused, is downloaded and compared', async ({ page }) => {
  const run = await RunPage.open(page);
  await run.set('Batch size', '8');
  await run.pace(10);
  await run.press('Train');
  await run.reaches(3);

  await showScreen(page, 'Profile');
  await expect(page.getByText('LeNet-5 · batches of 8 · Adam')).toBeVisible();
  await page.getByRole('button', { name: 'Profile a step' }).click();
  await expect(page.getByText('Training is paused and resumes afterwards')).toBeVisible();
  await expect(page.getByRole('heading', { name: /^Step time: [\d.]+ (µs|ms|s)$/ })).toBeVisible();
  const kernels = page.getByRole('table', { name: 'Kernels of one step by share of time' });
  await page.getByRole('button', { name: /^Show all \d+ kernels$/ }).click();
  for (const name of ['gather batch', 'conv1 fprop', 'conv2 wgrad', 'conv2 dgrad', 'adam'])
    await expect(kernels.getByRole('button', { name: new RegExp(`^${name}`) }).first()).toBeVisible();
  const calls = page.getByRole('table', { name: 'WebGPU calls of one step by share of time' });
  await expect(calls.getByRole('row').filter({ hasText: 'dispatchWorkgroups' })).toContainText(/\d\d/);

  // It zooms by the wheel, and a drag measures.
  const lane = page.getByRole('group', { name: 'Kernels in execution order' });
  // The last kernel may take so little that it is drawn as wide as can be seen, before and after.
  const place = () => lane.getByRole('button').last().getAttribute('style');
  const before = await place();
  await lane.hover({ position: { x: 40, y: 8 } });
  await page.mouse.wheel(0, -400);
  await expect.poll(place).not.toBe(before);
  await page.mouse.down();
  await page.mouse.move((await lane.boundingBox())!.x + 200, (await lane.boundingBox())!.y + 8, { steps: 5 });
  await page.mouse.up();
  await expect(page.getByRole('status', { name: 'Details' })).toContainText(/measured; \d+ kernels? takes? /);

  const button = page.getByRole('button', { name: 'JSON', exact: true });
  const [saved] = await Promise.all([page.waitForEvent('download'), button.click()]);
  await page.getByLabel('Profile', { exact: true }).setInputFiles(await saved.path());
  await expect(page.getByText(/^A step takes [\d.]+ (µs|ms|s), 1\.00× as long as the/)).toBeVisible();
  await expectAccessible(page);

  // The run resumed by itself.
  await showScreen(page, 'Train');
  await expect(run.value('Status')).toHaveText('Training');
  await run.press('Stop');
});
