import { expect, test } from 'vitest';
import type { KernelTime, StepPass } from '../../../worker/api.ts';
import {
  decades,
  explainParts,
  explainSpan,
  kernelRows,
  layerSpans,
  nextKernel,
  partsOf,
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
  expect(explainParts(parts)).toEqual([
    expect.stringContaining('idle time between kernels'),
    expect.stringContaining('bound by what submits them'),
  ]);
});

test('kernels may take less back to back than in isolation, and steps may overlap', () => {
  const parts = partsOf({ wall: spread(5), gpu: spread(6), kernels });
  expect(parts.map(({ ms }) => ms)).toEqual([8, -2, -1]);
  expect(explainParts(parts)).toEqual([
    expect.stringContaining('25 % less than in isolation'),
    expect.stringContaining('overlap'),
  ]);
  expect(explainParts(partsOf({ wall: spread(8.01), gpu: spread(8), kernels }))).toEqual([]);
});

test('consecutive kernels of a layer and pass are one span', () => {
  const spans = [
    { row: 'encode', name: 'encode', start: 0, ms: 1 } as const,
    ...kernels.map(({ kernel: name, time }, i) => ({
      row: 'gpu' as const,
      name,
      ms: time.median,
      kernel: i,
      start: [1, 2, 6, 8][i],
    })),
  ];
  expect(layerSpans({ kernels, spans })).toEqual([
    { name: 'batch', pass: 'data', start: 1, ms: 1, kernel: 0 },
    { name: 'conv1 forward', pass: 'forward', start: 2, ms: 4, kernel: 1 },
    { name: 'conv1 backward', pass: 'backward', start: 6, ms: 3, kernel: 2 },
  ]);
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
  [1, [0, 0.2, 0.4, 0.6, 0.8]],
  [47, [0, 10, 20, 30, 40]],
  [0.0011, [0, 0.0002, 0.0004, 0.0006, 0.0008, 0.001]],
  [260, [0, 50, 100, 150, 200]],
])('ticks along %s', (length, expected) => {
  const ticks = ticksOf(length);
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
