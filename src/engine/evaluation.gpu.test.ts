/** Evaluation over views of images against float64: the mean of the logits of each view, made from bytes by hand. */
import { expect, test } from 'vitest';
import { NO_AUGMENTATION } from '../base/augmentation.ts';
import { elements } from '../base/shape.ts';
import { cropped, gatherReference } from './gather/reference.ts';
import type { Views } from './gather/index.ts';
import { crossEntropyForward } from './loss/reference.ts';
import { inferShapes, type Layer } from './network.ts';
import sgd from './optimizers/rules/sgd.ts';
import { expectClose } from './testing/check.ts';
import { normals } from './testing/fixtures.ts';
import { testDevice } from './testing/gpu.ts';
import { referenceOutputs } from './testing/inference.ts';
import { Trainer } from './trainer.ts';

const INPUT = [3, 5, 4];
const SIZE = elements(INPUT);
const CLASSES = 4;
const layers: Layer[] = [
  { name: 'flatten', op: 'flatten' },
  { name: 'fc1', op: 'linear', attributes: { outFeatures: 9 } },
  { name: 'relu', op: 'relu' },
  { name: 'fc2', op: 'linear', attributes: { outFeatures: CLASSES } },
];
const [MEAN, STD] = [
  [0.5, 0.4, 0.3],
  [0.25, 0.2, 0.3],
];

/** Shift to the right and down, whether mirrored, and weight. */
const VIEWS: Record<Views, readonly (readonly [number, boolean, number])[]> = {
  1: [[0, false, 1]],
  2: [
    [0, false, 1 / 2],
    [0, true, 1 / 2],
  ],
  6: [
    [0, false, 1 / 4],
    [0, true, 1 / 4],
    [-1, false, 1 / 8],
    [-1, true, 1 / 8],
    [1, false, 1 / 8],
    [1, true, 1 / 8],
  ],
};

// Several batches, the last one partial.
test.each([
  { views: 1, count: 30 },
  { views: 2, count: 130 },
  { views: 6, count: 90 },
] as const)('$views views of $count images', async ({ views, count }) => {
  const device = await testDevice();
  const set = {
    images: Uint8Array.from(normals(1, [count * SIZE]).data, (v) => 128 + 40 * v),
    labels: Uint8Array.from({ length: count }, (_, i) => i % CLASSES),
    count,
  };
  const trainer = await Trainer.create(device, {
    layers,
    input: INPUT,
    classes: CLASSES,
    batchSize: 8,
    optimizer: sgd,
    settings: sgd.defaults,
    normalisation: { mean: MEAN, std: STD },
    train: set,
    test: set,
    views,
  });
  trainer.parameters.initialize(1);
  const found = await trainer.evaluate('test');
  const state = await trainer.parameters.stateDict(trainer.readback);
  trainer.destroy();

  const logits = new Float64Array(count * CLASSES);
  for (const [shift, mirrored, weight] of VIEWS[views]) {
    const draws = { left: 1 + shift, top: 1 + shift, mirrored, centre: { x: 0, y: 0 } };
    const seen = new Uint8Array(set.images.length);
    for (let i = 0; i < count; i++) {
      const image = set.images.subarray(i * SIZE, (i + 1) * SIZE);
      seen.set(cropped(image, INPUT, { ...NO_AUGMENTATION, crop: 1, reflect: 1 }, draws), i * SIZE);
    }
    const indices = Array.from({ length: count }, (_, i) => i);
    const x = gatherReference({ images: seen, shape: INPUT, mean: MEAN, std: STD }, indices);
    const outputs = referenceOutputs(inferShapes(layers, [count, ...INPUT]), x, state);
    outputs[outputs.length - 1].forEach((value, i) => (logits[i] += weight * value));
  }
  const expected = crossEntropyForward(logits, Uint32Array.from(set.labels), CLASSES);
  if (!found) throw new Error('expected results');
  expectClose('losses', found.losses, expected.losses, 2e-6);
  expect([...found.predictions]).toEqual([...expected.predictions]);
  expect(found.accuracy).toBeCloseTo(expected.correct / count, 12);
});
