/** Devices that crash, refuse a command or do not come back while `train` runs. */
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Random } from '../base/random.ts';
import { count, SEED } from '../base/testing/tier.ts';
import { nodeGpu } from '../node/gpu.ts';
import { linesOf, testFolder } from './testing/program.ts';

const { run: wgrad } = testFolder();

const STEPS = count(120, 120, 1000);
const RUN = '--model softmax_regression --dataset digits --batch-size 16';
const TRAIN = `train --engine cpu ${RUN} --steps ${STEPS} --find-db @find-db.json`;
const losses = (out: string) =>
  linesOf<{ step?: number; loss: number }>(out).flatMap(({ step, loss }) => (step ? [{ step, loss }] : []));

/** By step, of an undisturbed run. */
let whole: Map<number, number>;
beforeAll(async () => {
  // Also measures the device's speed, for which it is not disturbed later.
  const { status, out } = await wgrad(TRAIN);
  expect(status).toBe(0);
  whole = new Map(losses(out).map(({ step, loss }) => [step, loss]));
  expect(whole.size).toBe(STEPS);
});
const expectTheSame = (out: string) => {
  for (const { step, loss } of losses(out)) expect(loss, `of step ${step}`).toBe(whole.get(step));
};

/** A fault of a device, after so many submits. Undefined for a device without a fault, null for no device. */
type Fault = { after: number; happen(device: GPUDevice): void } | undefined | null;

/** Opens devices with these faults. The command line also requests an adapter to name it. */
async function withFaults(fault: () => Fault): Promise<void> {
  const gpu = await nodeGpu('cpu');
  const { requestAdapter } = gpu;
  vi.spyOn(gpu, 'requestAdapter').mockImplementation(async (options) => {
    const adapter = await requestAdapter.call(gpu, options);
    if (!adapter) return null;
    const planned = fault();
    if (planned === null) return null;
    const { requestDevice } = adapter;
    adapter.requestDevice = async (descriptor) => {
      const device = await requestDevice.call(adapter, descriptor);
      const { queue } = device;
      const { submit } = queue;
      let submits = 0;
      queue.submit = (commands) => {
        submit.call(queue, commands);
        if (planned && ++submits === planned.after) planned.happen(device);
      };
      return device;
    };
    return adapter;
  });
}
afterEach(() => vi.restoreAllMocks());

const crash = (device: GPUDevice) => device.destroy();
const refuse = (device: GPUDevice) => {
  const error = { message: 'a dispatch over the limit' };
  device.dispatchEvent(Object.assign(new Event('uncapturederror'), { error }));
};

test('crashes at random moments: the losses are the same, and the status is 0', async () => {
  const random = new Random(SEED, 'crashes');
  let crashes = 0;
  await withFaults(() => {
    if (crashes === count(4, 4, 20)) return undefined;
    const happen = (device: GPUDevice) => {
      crashes++;
      crash(device);
    };
    return { after: 20 + random.below(20), happen };
  });
  const { status, out, err } = await wgrad(`${TRAIN} --checkpoint @crashed --checkpoint-every 3`);
  expect(status, err).toBe(0);
  expect(crashes).toBe(count(4, 4, 20));
  expect(err).toMatch(/The device was lost: .*\. Continuing on a new one\./);
  expectTheSame(out);
  expect(new Set(losses(out).map(({ step }) => step)).size).toBe(STEPS);
});

test('a refused command: no loss is wrong, and the status is 1 if it is refused again and again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let devices = 0;
  await withFaults(() => (devices++ < 4 ? { after: 30, happen: refuse } : undefined));
  const once = await wgrad(`${TRAIN} --checkpoint @refused --checkpoint-every 3`);
  expect(once.status, once.err).toBe(0);
  expect(once.err).toContain('The device was lost: a GPU command was refused: a dispatch over the limit');
  expectTheSame(once.out);

  vi.restoreAllMocks();
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await withFaults(() => ({ after: 10, happen: refuse }));
  const always = await wgrad(`${TRAIN} --save @never.safetensors`);
  expect(always.status).toBe(1);
  expect(always.err).toMatch(/wgrad train: The GPU was lost 3 times .* a GPU command was refused/);
  expectTheSame(always.out);
});

test('two crashes, after which there is no adapter: the status is 1, and the run resumes from its checkpoint', async () => {
  let devices = 0;
  await withFaults(() => (devices++ < 6 ? { after: 30, happen: crash } : null));
  const ended = await wgrad(`${TRAIN} --checkpoint @gone --checkpoint-every 3`);
  expect(ended.status).toBe(1);
  expect(ended.err).toMatch(/wgrad train: .*(could not be restored|no longer available)/);
  expectTheSame(ended.out);
  vi.restoreAllMocks();
  const resumed = await wgrad('train --engine cpu --resume @gone');
  expect(resumed.status).toBe(0);
  expectTheSame(resumed.out);
  expect(losses(resumed.out).at(-1)?.step).toBe(STEPS);
});
