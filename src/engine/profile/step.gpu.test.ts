import { afterAll, expect, test, vi } from 'vitest';
import { testDevice } from '../testing/gpu.ts';
import { profileStep, type ProfileProgress } from './step.ts';
import { partOf, timelineOf } from './timeline.ts';
import { stepTrace } from './trace.ts';

const network = {
  layers: [
    { name: 'conv', op: 'conv', attributes: { outChannels: 4, kernelSize: [3, 3], padding: [1, 1] } },
    { name: 'relu', op: 'relu' },
    { name: 'flatten', op: 'flatten' },
    { name: 'fc', op: 'linear', attributes: { outFeatures: 3 } },
  ],
  input: [1, 8, 8],
  classes: 3,
};
const options = { batchSize: 4, optimizer: 'sgd' };

afterAll(async () => (await testDevice()).destroy());

test('a step is taken apart: passes, layers, operations, calls, ceilings', async () => {
  const device = await testDevice();
  const before = device.ledger.buffers;
  const phases: ProfileProgress[] = [];
  const profile = await profileStep(device, network, options, (progress) => {
    phases.push(progress);
    return true;
  });
  expect(device.ledger.buffers, 'buffers left').toBe(before);
  expect(device.uncaught).toEqual([]);

  const { kernels, layers, calls, single, wall, gpu, ceilings } = profile;
  expect([...new Set(kernels.map(partOf))]).toEqual([
    ...['data', 'conv forward', 'fc forward', 'loss', 'fc backward', 'conv backward', 'update'],
  ]);
  for (const { time, bytes, kernel } of kernels) {
    expect(time.median, kernel).toBeGreaterThan(0);
    expect(time.samples, kernel).toBeGreaterThanOrEqual(3);
    expect(bytes, kernel).toBeGreaterThan(0);
  }
  // 2 N K P Q C R S, for fprop and wgrad; there is no gradient of the images.
  const convFlop = 2 * 4 * 4 * 8 * 8 * 9;
  const flopOf = (part: string) =>
    kernels.filter((one) => partOf(one) === part).reduce((sum, { flop }) => sum + flop, 0);
  expect(flopOf('conv forward')).toBe(convFlop);
  expect(flopOf('conv backward')).toBe(convFlop);
  // 2 N in out: forward once, backward twice.
  expect(flopOf('fc forward')).toBe(2 * 4 * 256 * 3);
  expect(flopOf('fc backward')).toBe(2 * (2 * 4 * 256 * 3));
  // x, w, bias and y of the linear layer, 4 bytes each.
  const fc = kernels.find((one) => partOf(one) === 'fc forward');
  expect(fc?.bytes).toBe(4 * (4 * 256 + 3 * 256 + 3 + 4 * 3));
  // The batch and its labels, not the whole data set.
  const gather = kernels.find(({ pass }) => pass === 'data');
  expect(gather?.bytes).toBeLessThan(4 * (64 * 5 + 10) + 64);

  expect(layers.map(({ layer }) => layer)).toEqual(['conv', 'fc']);
  const sum = kernels.reduce((total, { time }) => total + time.median, 0);
  const inLayers = layers.reduce((total, { forwardMs, backwardMs }) => total + forwardMs + backwardMs, 0);
  expect(inLayers).toBeGreaterThan(0);
  expect(inLayers).toBeLessThan(sum);

  const countOf = (name: string) => calls.find(({ call }) => call === name)?.count;
  expect(countOf('dispatchWorkgroups')).toBe(kernels.length);
  expect(countOf('beginComputePass')).toBe(1);
  // The step, and every copy that is read back.
  expect(countOf('submit')).toBe(1 + (countOf('mapAsync') ?? NaN));
  expect(
    calls
      .filter(({ waits }) => waits)
      .map(({ call }) => call)
      .sort(),
  ).toEqual([...['mapAsync', 'onSubmittedWorkDone']]);
  expect(single.waitMs).toBeGreaterThan(0);
  for (const { median, samples } of [wall, gpu]) {
    expect(median).toBeGreaterThan(0);
    expect(samples).toBeGreaterThanOrEqual(3);
  }
  expect(ceilings.product.flopPerSecond).toBeGreaterThan(0);
  expect(ceilings.copy.bytesPerSecond).toBeGreaterThan(0);

  const shares = phases.map(({ share }) => share);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));

  const spans = timelineOf(profile);
  expect(spans.filter(({ row }) => row === 'gpu')).toHaveLength(kernels.length);
  spans.slice(1).forEach(({ start }, i) => expect(start).toBeCloseTo(spans[i].start + spans[i].ms, 9));
  const trace = JSON.parse(stepTrace('test', profile)) as { traceEvents: { ph: string; name: string }[] };
  const named = trace.traceEvents.filter(({ ph }) => ph === 'X').map(({ name }) => name);
  for (const { kernel } of kernels) expect(named).toContain(kernel);
  expect(named).toContain('conv backward');
});

test('an adapter without timestamps is timed by the wall clock, and the profile says so', async () => {
  const device = await testDevice();
  const without = vi.spyOn(device, 'hasTimestamps', 'get').mockReturnValue(false);
  try {
    const { clock, tickMs, kernels } = await profileStep(device, network, options);
    expect(clock).toBe('wall');
    expect(tickMs).toBeUndefined();
    for (const { time, kernel } of kernels) expect(time.median, kernel).toBeGreaterThan(0);
  } finally {
    without.mockRestore();
  }
});

test('measuring can be cancelled, and leaves the device unchanged', async () => {
  const device = await testDevice();
  const before = device.ledger.buffers;
  const ended = profileStep(device, network, options, ({ phase }) => phase !== 'kernels');
  await expect(ended).rejects.toMatchObject({ code: 'cancelled' });
  expect(device.ledger.buffers).toBe(before);
  expect(Object.hasOwn(device.queue, 'submit')).toBe(false);
  expect(Object.hasOwn(device.raw, 'createBuffer')).toBe(false);
});
