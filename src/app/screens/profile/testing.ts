/** A profile for tests: two layers, twenty kernels. */
import type { KernelTime, ProfileReport } from '../../../worker/api.ts';

const spread = (median: number) => ({ median, p10: median, p90: median, samples: 5, repetitions: 1 });

const kernel = (i: number): KernelTime => ({
  kernel: `kernel${i}`,
  shader: `conv/direct/k${i}`,
  pass: i < 10 ? 'forward' : 'backward',
  layer: i % 2 === 0 ? 'conv1' : 'conv2',
  workgroups: [4, 1, 1],
  // Every other kernel only moves data.
  flop: i % 2 === 0 ? 1e9 : 0,
  bytes: 1e6,
  time: spread(i + 1),
});

const kernels = Array.from({ length: 20 }, (_, i) => kernel(i));
const GPU_MS = 210;

export const profile: ProfileReport = {
  clock: 'timestamps',
  tickMs: 1e-6,
  batchSize: 8,
  optimizer: 'Adam',
  wall: spread(GPU_MS + 30),
  gpu: spread(GPU_MS),
  single: { steps: 4, encodeMs: 2, submitMs: 1, waitMs: GPU_MS + 5, readMs: 3 },
  kernels,
  layers: [
    { layer: 'conv1', forwardMs: 25, backwardMs: 75 },
    { layer: 'conv2', forwardMs: 30, backwardMs: 80 },
  ],
  calls: [
    { call: 'mapAsync', count: 1, ms: 9, waits: true },
    { call: 'submit', count: 1, ms: 1, waits: false },
    { call: 'writeBuffer', count: 4, ms: 3, waits: false },
  ],
  ceilings: {
    product: { size: 512, flopPerSecond: 4e12, time: spread(1) },
    copy: { bytes: 1e6, bytesPerSecond: 1e11, time: spread(1) },
  },
  spans: [
    { row: 'encode', name: 'encode', start: 0, ms: 2 },
    { row: 'queue', name: 'submit', start: 2, ms: 1 },
    { row: 'queue', name: 'latency', start: 3, ms: 5 },
    ...kernels.map(({ kernel: name, time }, i) => ({
      row: 'gpu' as const,
      name,
      start: 8 + (i * (i + 1)) / 2,
      ms: time.median,
      kernel: i,
    })),
    { row: 'read', name: 'read back', start: 218, ms: 3 },
  ],
  trace: '{}',
};
