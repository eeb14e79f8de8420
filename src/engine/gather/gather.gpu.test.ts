import { expect, test } from 'vitest';
import { Random } from '../../base/random.ts';
import { packStep, stepSlotBytes } from '../step.ts';
import { expectClose, expectExact } from '../testing/check.ts';
import { runPlan } from '../testing/gpu.ts';
import type { Values } from '../testing/fixtures.ts';
import { channelScales, gatherBatch } from './index.ts';
import { gatherReference } from './reference.ts';

/** Bytes as words, as an upload pads them. */
function words(bytes: Uint8Array): Values {
  const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
  padded.set(bytes);
  return { shape: [padded.length / 4], data: new Uint32Array(padded.buffer) };
}

test.each([
  { shape: [1, 28, 28], batch: 4, indices: [9, 0, 9, 3] },
  { shape: [3, 5, 7], batch: 6, indices: [8, 1, 2, 9, 0] },
  { shape: [1, 1, 1], batch: 10, indices: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] },
  { shape: [2, 3, 1], batch: 1, indices: [7] },
  { shape: [1, 3, 3], batch: 3, indices: [] },
])('$shape, batch of $batch, samples $indices', async ({ shape, batch, indices }) => {
  const random = new Random(1, 'bytes');
  const [C, H, W] = shape;
  const images = Uint8Array.from({ length: 10 * C * H * W }, () => random.below(256));
  const imageLabels = Uint8Array.from({ length: 10 }, () => 100 + random.below(156));
  const mean = [0.25, 0.5, 0.4914].slice(0, C);
  const std = [0.5, 0.2023, 1].slice(0, C);
  const slotBytes = stepSlotBytes(batch);
  const data = new Uint8Array(slotBytes).fill(0xee);
  packStep(new DataView(data.buffer), 0, { metricsSlot: 0, indices: Uint32Array.from(indices) });
  const { x, labels } = await runPlan({
    inputs: {
      images: words(images),
      imageLabels: words(imageLabels),
      channels: { shape: [C, 2], data: channelScales(mean, std) },
    },
    outputs: { x: [batch, C, H, W], labels: [batch] },
    step: { data, slotBytes },
    build: (plan, t) => gatherBatch(plan, t),
  });
  const expected = new Float64Array(x.length);
  expected.set(gatherReference(images, shape, mean, std, indices));
  expectClose('x', x, expected, 3e-7);
  expect(x.subarray(indices.length * C * H * W).every((value) => value === 0)).toBe(true);
  const expectedLabels = new Uint32Array(batch);
  expectedLabels.set(indices.map((i) => imageLabels[i]));
  expectExact('labels', new Uint32Array(labels.buffer), expectedLabels);
});
