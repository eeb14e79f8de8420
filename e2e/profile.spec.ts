import { readFile } from 'node:fs/promises';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

/** 25 kernels are compiled, and each runs ten times. */

test('a profile of a LeNet-5 step, while a run is paused', async ({ page }) => {
  const run = await RunPage.open(page);
  await run.set('Batch size', '8');
  await run.pace(10);
  await run.press('Train');
  await run.reaches(3);

  await page.getByRole('link', { name: 'Profile', exact: true }).click();
  await expect(page.getByText('LeNet-5 · batches of 8 · Adam')).toBeVisible();
  await expect(page.getByText('No profile yet')).toBeVisible();
  await page.getByRole('button', { name: 'Profile a step' }).click();
  await expect(page.getByRole('status', { name: 'Profile' })).toBeVisible();
  await expect(page.getByText('Training is paused and resumes afterwards')).toBeVisible();
  const title = page.getByRole('heading', { name: /^Step time: [\d.]+ (µs|ms|s)$/ });
  await expect(title).toBeVisible();
  // Where the machine is busy, the times may contradict each other: they are named instead of divided.
  const parts = (await page.getByText('Too noisy: measure again').isVisible())
    ? ['Whole steps, wall clock', 'The kernels of a step, back to back', 'Each kernel alone, added up']
    : ['Kernels', 'Between kernels', 'Between steps', 'Wall clock'];
  for (const part of parts)
    await expect(page.getByRole('term').filter({ hasText: new RegExp(`^${part}$`) })).toBeVisible();

  // The kernels of both passes, by share; a selected kernel is highlighted everywhere.
  const kernels = page.getByRole('table', { name: 'Kernels of one step by share of time' });
  await page.getByRole('button', { name: /^Show all \d+ kernels$/ }).click();
  for (const name of ['gather batch', 'conv1 fprop', 'conv2 wgrad', 'conv2 dgrad', 'adam'])
    await expect(kernels.getByRole('button', { name: new RegExp(`^${name}`) }).first()).toBeVisible();
  const row = kernels.getByRole('row').filter({ hasText: 'conv2 fprop' }).first();
  await expect(row).toContainText(/FLOP\/s/);
  await expect(row).toContainText(/[MGT]B\/s/);
  const lane = page.getByRole('group', { name: 'Kernels in execution order' });
  await lane.getByRole('button').first().focus();
  await page.keyboard.press('Home');
  await expect(page.getByText('shaders/gather/batch.wgsl')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(lane.getByRole('button', { pressed: true })).toHaveAccessibleName(/^conv1 fprop, /);
  await expect(kernels.getByRole('button', { pressed: true })).toContainText('conv1 fprop');

  // It zooms by the wheel, and a drag measures.
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

  await page.getByRole('radio', { name: 'Layers' }).check();
  const layers = page.getByRole('table', { name: 'Layers of the model by share of time' });
  await expect(layers.getByRole('rowheader', { name: 'conv2' })).toBeVisible();

  const calls = page.getByRole('table', { name: 'WebGPU calls of one step by share of time' });
  await expect(calls.getByRole('row').filter({ hasText: 'dispatchWorkgroups' })).toContainText(/\d\d/);
  await expect(calls.getByRole('row').filter({ hasText: 'onSubmittedWorkDone' })).toContainText('waits');
  await expect(page.getByRole('img', { name: /^Roofline of \d+ kernels under a peak of / })).toBeVisible();

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Chrome trace' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^wgrad-profile-.*\.trace\.json$/);
  const { traceEvents } = JSON.parse(await readFile(await file.path(), 'utf8')) as {
    traceEvents: { name: string; ph: string; ts?: number; dur?: number }[];
  };
  const spans = traceEvents.filter(({ ph }) => ph === 'X');
  for (const name of ['encode', 'submit', 'read back', 'conv1 fprop', 'conv1 backward'])
    expect(spans.map((span) => span.name)).toContain(name);
  for (const { ts, dur } of spans) {
    expect(ts).toBeGreaterThanOrEqual(0);
    expect(dur).toBeGreaterThanOrEqual(0);
  }

  // A profile from a file, here the same one, beside this one.
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'JSON', exact: true }).click(),
  ]);
  await page.getByLabel('Profile', { exact: true }).setInputFiles(await saved.path());
  await expect(page.getByText(/^A step takes [\d.]+ (µs|ms|s), 1\.00× as long as the/)).toBeVisible();
  await expectAccessible(page);

  // The run resumed by itself.
  await page.getByRole('link', { name: 'Train', exact: true }).click();
  await expect(run.value('Status')).toHaveText('Training');
  await run.press('Stop');
});
