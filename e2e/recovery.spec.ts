import { expect, test } from './fixtures.ts';
import { crashGpu, LOST, survivesCrashes } from './gpu-crash.ts';
import { expectSameLosses, writeDownLosses, writtenLosses } from './losses.ts';
import { RunPage } from './run.ts';
import { showScreen } from './screens.ts';

test.use({ engine: 'gpu', launchOptions: survivesCrashes });

/** Few images per step, so that a software GPU does many steps. */
const BATCH = '8';

test('a lost device, a refused command, a GPU process that crashes, a device lost while paused: the run continues to the same losses', async ({
  page,
  browser,
  complaints,
}) => {
  complaints.allow(/GPU/);
  const run = await RunPage.open(page);
  await run.chooseSmallModel();
  await run.set('Batch size', BATCH);
  await run.pace(100);
  await run.openLosses();
  await run.press('Train');
  await run.reaches(20);
  await writeDownLosses(page);
  const lost = page.getByText(LOST);
  /** Trains 40 more steps after a loss; the step of the loss. */
  const resumes = (what: string, lose: () => Promise<unknown>) =>
    test.step(what, async () => {
      const at = await run.read('Step');
      // A fast machine shows it for less time than there is between two looks from here: the page itself looks.
      const shown = page.waitForFunction((title) => document.body.textContent.includes(title), LOST);
      await Promise.all([shown, lose()]);
      await run.reaches(at + 40);
      await expect(lost).toBeHidden();
      // A third loss without a new checkpoint would end the run, and a pause saves one.
      await run.press('Pause');
      await expect(run.value('Status')).toHaveText('Paused');
      await run.press('Resume');
      return at;
    });
  const device = await resumes('a lost device', () => page.evaluate('wgrad.loseDevice()'));
  const refused = await resumes('a command that WebGPU refuses', async () => {
    for (const worker of page.workers()) {
      await worker.evaluate(() => {
        const { prototype } = GPUComputePassEncoder;
        const { dispatchWorkgroups } = prototype;
        prototype.dispatchWorkgroups = function () {
          prototype.dispatchWorkgroups = dispatchWorkgroups;
          // More than any adapter allows.
          return dispatchWorkgroups.call(this, 2 ** 32 - 1);
        };
      });
    }
  });
  const process = await resumes('a GPU process that crashes', () => crashGpu(browser));
  await run.press('Pause');
  await expect(run.value('Status')).toHaveText('Paused');
  const paused = await run.read('Step');
  await page.evaluate('wgrad.loseDevice()');
  await run.draw([
    [0.5, 0.2],
    [0.5, 0.8],
  ]);
  await expect(run.answer()).toHaveText(/^\d$/);
  await expect(run.value('Status')).toHaveText('Paused');
  await run.press('Step');
  await expect(run.value('Step')).toHaveText(String(paused + 1));
  await expect(run.value('Status')).toHaveText('Paused');
  await run.press('Resume');
  await run.reaches(paused + 30);
  await run.press('Pause');
  await expect(run.value('Status')).toHaveText('Paused');
  const until = await run.read('Step');
  const disturbed = await writtenLosses(page);

  await run.press('Restart');
  await expect(run.value('Status')).toHaveText('Training');
  await writeDownLosses(page);
  await run.reaches(until);
  await run.press('Stop');
  const undisturbed = await writtenLosses(page);
  expectSameLosses(disturbed, undisturbed, { after: device, until: refused, atLeast: 11 });
  expectSameLosses(disturbed, undisturbed, { after: refused, until: process, atLeast: 11 });
  expectSameLosses(disturbed, undisturbed, { after: process, until: paused, atLeast: 11 });
  expectSameLosses(disturbed, undisturbed, { after: paused, until, atLeast: 11 });
});

test('a dispatch that never ends: the page says so, stays usable, and continues on the CPU', async ({
  page,
  browser,
  complaints,
}) => {
  complaints.allow(/GPU/);
  const run = await RunPage.open(page);
  await run.chooseSmallModel();
  await run.set('Batch size', BATCH);
  await run.pace(20);
  await run.press('Train');
  await run.reaches(10);
  await run.press('Pause');
  await expect(run.value('Status')).toHaveText('Paused');
  const saved = await run.read('Step');
  await run.worker().evaluate(() => {
    const { prototype } = GPUDevice;
    const { createCommandEncoder } = prototype;
    prototype.createCommandEncoder = function (descriptor) {
      prototype.createCommandEncoder = createCommandEncoder;
      const code = `
        @group(0) @binding(0) var<storage, read_write> y: array<f32>;
        @compute @workgroup_size(1) fn main() {
          // A sum that only grows, which no compiler knows.
          loop {
            y[0] += 1.0;
            if (y[0] < 0.0) { break; }
          }
        }`;
      const module = this.createShaderModule({ code });
      const pipeline = this.createComputePipeline({ layout: 'auto', compute: { module } });
      const buffer = this.createBuffer({ size: 16, usage: GPUBufferUsage.STORAGE });
      const layout = pipeline.getBindGroupLayout(0);
      const encoder = this.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, this.createBindGroup({ layout, entries: [{ binding: 0, resource: { buffer } }] }));
      pass.dispatchWorkgroups(1);
      pass.end();
      this.queue.submit([encoder.finish()]);
      return createCommandEncoder.call(this, descriptor);
    };
  });
  await run.press('Step');
  await expect(page.getByText('GPU busy').filter({ visible: true }).first()).toBeVisible();
  await showScreen(page, 'Build');
  await showScreen(page, 'Train');
  await page.getByRole('button', { name: 'Reload on the CPU' }).filter({ visible: true }).click();
  await expect(run.device('CPU')).toBeVisible();
  await run.ready();
  // What drivers do with a task that never ends. SwiftShader does not, and the browser draws nothing more once the worker is gone.
  await crashGpu(browser);
  await page.getByRole('button', { name: `Resume from step ${saved}` }).click();
  await run.reaches(saved + 5);
  await run.press('Stop');
});
