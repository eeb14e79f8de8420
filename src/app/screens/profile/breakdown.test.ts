import { expect, test } from 'vitest';
import type { KernelTime, StepPass } from '../../../worker/api.ts';
import {
  decades,
  explainParts,
  explainSpan,
  isNoisy,
  kernelRows,
  nextKernel,
  partsOf,
  peaksOf,
  ticksOf,
} from './breakdown.ts';

const spread = (median: number) => ({ median, p10: median, p90: median, samples: 5, repetitions: 1 });
const kernel = (name: string, ms: number, pass: StepPass, more: Partial<KernelTime> = {}): KernelTime => ({
  kernel: name,
  shader: 'x',
  pass,
  workgroups: [1, 1, 1],
  flop: 0,
  bytes: 0,
  time: spread(ms),
  ...more,
});
const kernels = [
  kernel('gather batch', 1, 'data', { bytes: 1e6 }),
  kernel('conv1 fprop', 4, 'forward', { layer: 'conv1', flop: 8e9, bytes: 2e6 }),
  kernel('conv1 wgrad', 2, 'backward', { layer: 'conv1', flop: 2e9, bytes: 2e6 }),
  kernel('conv1 wgrad sum', 1, 'backward', { layer: 'conv1', bytes: 9e6 }),
];

test('wall-clock time is kernels, idle time between them, and idle time between steps', () => {
  const parts = partsOf({ wall: spread(12), gpu: spread(9), kernels });
  expect(parts).toEqual([
    { name: 'kernels', ms: 8 },
    { name: 'between kernels', ms: 1 },
    { name: 'between steps', ms: 3 },
  ]);
  expect(parts.reduce((sum, { ms }) => sum + ms, 0)).toBe(12);
  expect(explainParts({ wall: spread(12), gpu: spread(9), kernels })).toEqual([
    expect.stringContaining('idle time between kernels'),
    expect.stringContaining('submitting them is the bottleneck'),
  ]);
});

test('no part is negative, whatever was measured: kernels may take less back to back than in isolation', () => {
  const times = { wall: spread(6.2), gpu: spread(6), kernels };
  expect(partsOf(times).map(({ ms }) => Number(ms.toFixed(9)))).toEqual([6, 0, 0.2]);
  expect(explainParts(times)).toEqual([
    expect.stringContaining('25 % less time than in isolation'),
    expect.stringContaining('submitting them is the bottleneck'),
  ]);
  expect(explainParts({ wall: spread(8.01), gpu: spread(8), kernels })).toEqual([]);
  // Medians that were taken one after the other, on a busy machine.
  const busy = { wall: spread(312), gpu: spread(595), kernels };
  expect(partsOf(busy).map(({ ms }) => ms)).toEqual([8, 304, 0]);
  expect(partsOf({ ...busy, kernels: [kernel('a', 700, 'forward')] }).map(({ ms }) => ms)).toEqual([
    312, 0, 0,
  ]);
});

test('times that vary or contradict each other are too noisy', () => {
  expect(isNoisy({ wall: spread(312), gpu: spread(595), kernels })).toBe(true);
  expect(isNoisy({ wall: { ...spread(10), p10: 8, p90: 13 }, gpu: spread(9), kernels })).toBe(true);
  expect(isNoisy({ wall: { ...spread(10), p10: 9, p90: 11 }, gpu: spread(10.5), kernels })).toBe(false);
  // A single kernel cannot take longer than the step.
  const slow = [kernel('a', 12, 'forward')];
  expect(isNoisy({ wall: spread(10), gpu: spread(9), kernels: slow })).toBe(true);
});

test('no kernel is faster than the peak, and data from the cache is named', () => {
  const ceilings = {
    product: { size: 512, flopPerSecond: 1e12, time: spread(1) },
    copy: { bytes: 1e6, bytesPerSecond: 1e9, time: spread(1) },
  };
  const rows = kernelRows({ kernels, ceilings });
  expect(peaksOf({ kernels, ceilings }).flopPerSecond).toBeCloseTo(2e12, -3);
  for (const { ofPeak } of rows) expect(ofPeak).toBeLessThanOrEqual(1);
  expect(rows.find(({ index }) => index === 3)).toMatchObject({ ofPeak: 1, bound: 'cache' });
});

test('rows: slowest first, with rates and their share of the peak', () => {
  const ceilings = {
    product: { size: 512, flopPerSecond: 4e12, time: spread(1) },
    copy: { bytes: 1e6, bytesPerSecond: 1e10, time: spread(1) },
  };
  const rows = kernelRows({ kernels, ceilings });
  expect(rows.map(({ index }) => index)).toEqual([1, 2, 0, 3]);
  expect(rows[0]).toMatchObject({ share: 0.5, bound: 'compute' });
  expect(rows[0].flopPerSecond).toBeCloseTo(2e12, -3);
  expect(rows[0].ofPeak).toBeCloseTo(0.5, 9);
  expect(rows[3]).toMatchObject({ flopPerSecond: 0, bound: 'memory' });
  expect(rows[3].ofPeak).toBeCloseTo(0.9, 9);
});

test('decades around numbers', () => {
  expect(decades(0.3, 250)).toEqual([-1, 3]);
  expect(decades(1, 1000)).toEqual([0, 3]);
});

test.each([
  [0, 1, [0, 0.2, 0.4, 0.6, 0.8]],
  [0, 47, [0, 10, 20, 30, 40]],
  [0, 0.0011, [0, 0.0002, 0.0004, 0.0006, 0.0008, 0.001]],
  [0, 260, [0, 50, 100, 150, 200]],
  [102, 107, [102, 103, 104, 105, 106]],
])('ticks from %s to %s', (from, to, expected) => {
  const ticks = ticksOf(from, to);
  expect(ticks).toHaveLength(expected.length);
  ticks.forEach((tick, i) => expect(tick).toBeCloseTo(expected[i], 9));
});

test.each([
  ['ArrowRight', undefined, 0],
  ['ArrowRight', 1, 2],
  ['ArrowRight', 4, 4],
  ['ArrowLeft', undefined, 4],
  ['ArrowLeft', 0, 0],
  ['Home', 3, 0],
  ['End', undefined, 4],
  ['a', 3, undefined],
])('%s from kernel %s of 5 leads to %s', (key, selected, expected) => {
  expect(nextKernel(key, selected, 5)).toBe(expected);
});

test('every span outside the kernels is explained', () => {
  expect(explainSpan({ row: 'encode', name: 'encode' })).toContain('records');
  expect(explainSpan({ row: 'queue', name: 'submit' })).toContain('submits');
  expect(explainSpan({ row: 'queue', name: 'latency' })).toContain('latency');
  expect(explainSpan({ row: 'read', name: 'read back' })).toContain('copied back');
  expect(explainSpan({ row: 'gpu', name: 'conv1 fprop' })).toBeUndefined();
});
