import { afterAll, expect, test } from 'vitest';
import { softmax } from '../../base/softmax.ts';
import { inferShapes } from '../../engine/network.ts';
import type { StateDict } from '../../engine/parameters.ts';
import { expectClose } from '../../engine/testing/check.ts';
import { referenceClassGradient, referenceOutputs } from '../../engine/testing/inference.ts';
import { dataset, recorded, residual, testSupply, tiny } from '../../train/testing/tiny-run.ts';
import { attribution, coverings } from './attribution.ts';
import { embedding, recordEmbedding } from './embedding.ts';
import { look } from './look.ts';
import { distances, nearest } from './nearest.ts';

const { supply, devices } = testSupply();
afterAll(() => devices.forEach((device) => device.destroy()));

const SIZE = 64;
const image = dataset.test.images.slice(5 * SIZE, 6 * SIZE);
const pixels = Float64Array.from(image, (byte) => (byte / 255 - 0.3) / 0.2);
const shapes = inferShapes(residual.layers, [1, 1, 8, 8]);

/** A run whose batch normalisation has seen a few batches. */
async function trained() {
  const { run } = recorded(tiny({ model: residual }), supply);
  for (let i = 0; i < 3; i++) await run.stepOnce();
  return { run, state: await run.stateDict() };
}

/** Equations 1 and 2 of the paper, in float64. */
function referenceCam(state: StateDict, layer: string, ofClass: number): Float64Array {
  const place = shapes.findIndex((one) => one.layer.name === layer);
  const maps = referenceOutputs(shapes, pixels, state)[place];
  const gradient = referenceClassGradient(shapes, pixels, state, place, ofClass);
  const [, K, P, Q] = shapes[place].output;
  const plane = P * Q;
  const weights = Array.from(
    { length: K },
    (_, k) => gradient.slice(k * plane, (k + 1) * plane).reduce((a, b) => a + b, 0) / plane,
  );
  return Float64Array.from({ length: plane }, (_, i) =>
    Math.max(
      0,
      weights.reduce((sum, weight, k) => sum + weight * maps[k * plane + i], 0),
    ),
  );
}

test('Grad-CAM equals float64, for the predicted and a chosen class, at the last and another layer', async () => {
  const { run, state } = await trained();
  const outputs = referenceOutputs(shapes, pixels, state);
  const probabilities = softmax(outputs[outputs.length - 1]);
  const best = probabilities.indexOf(Math.max(...probabilities));
  const predicted = await attribution(run, { image, method: 'grad-cam' });
  expect(predicted).toMatchObject({ step: 3, ofClass: best, layer: 'conv2', rows: 8, columns: 8 });
  expect(predicted.probability).toBeCloseTo(probabilities[best], 5);
  expectClose('conv2', predicted.values, referenceCam(state, 'conv2', best), 1e-4);
  for (const ofClass of [1, 3]) {
    const found = await attribution(run, { image, method: 'grad-cam', ofClass, layer: 'relu1' });
    expectClose(`class ${ofClass}`, found.values, referenceCam(state, 'relu1', ofClass), 1e-4);
  }
  const refused = { code: 'unsupported', message: '"fc" has no feature maps.' };
  await expect(attribution(run, { image, method: 'grad-cam', layer: 'fc' })).rejects.toMatchObject(refused);
  await run.close();
});

test('occlusion equals float64', async () => {
  const { run, state } = await trained();
  const probability = (x: Float64Array) => {
    const outputs = referenceOutputs(shapes, x, state);
    return softmax(outputs[outputs.length - 1])[2];
  };
  const { starts, length } = coverings(8);
  const sums = new Float64Array(SIZE);
  const counts = new Float64Array(SIZE);
  for (const top of starts) {
    for (const left of starts) {
      const covered = pixels.slice();
      const inside: number[] = [];
      for (let h = top; h < top + length; h++)
        for (let w = left; w < left + length; w++) inside.push(8 * h + w);
      for (const i of inside) covered[i] = 0;
      const fall = probability(pixels) - probability(covered);
      for (const i of inside) {
        sums[i] += fall;
        counts[i]++;
      }
    }
  }
  const found = await attribution(run, { image, method: 'occlusion', ofClass: 2 });
  expect(found).toMatchObject({ rows: 8, columns: 8, square: [2, 2], ofClass: 2 });
  expectClose(
    'occlusion',
    found.values,
    sums.map((sum, i) => sum / counts[i]),
    1e-4,
  );
  await run.close();
});

test('squares cover every pixel, and end at the edge', () => {
  expect(coverings(28)).toEqual({ starts: [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 21], length: 7 });
  expect(coverings(1)).toEqual({ starts: [0], length: 1 });
});

test('the nearest training images are those with the closest features in float64', async () => {
  const { run, state } = await trained();
  const features = (x: Float64Array) => referenceOutputs(shapes, x, state)[shapes.length - 2];
  const own = features(pixels);
  const expected = Array.from(dataset.train.labels, (label, index) => {
    const bytes = dataset.train.images.subarray(index * SIZE, (index + 1) * SIZE);
    const others = features(Float64Array.from(bytes, (byte) => (byte / 255 - 0.3) / 0.2));
    return { index, label, distance: Math.hypot(...others.map((value, i) => value - own[i])) };
  }).sort((a, b) => a.distance - b.distance);
  const found = await nearest(run, image);
  expect(found).toMatchObject({ step: 3, values: 64, searched: 160, total: 160 });
  expect(found.found.map(({ index }) => index)).toEqual(expected.slice(0, 8).map(({ index }) => index));
  found.found.forEach(({ distance, label, index }, i) => {
    expect(distance).toBeCloseTo(expected[i].distance, 3);
    expect(label).toBe(dataset.train.labels[index]);
  });
  expect([...found.images.subarray(0, SIZE)]).toEqual([
    ...dataset.train.images.subarray(found.found[0].index * SIZE, (found.found[0].index + 1) * SIZE),
  ]);
  // An image of the training set is nearest to itself.
  const same = await nearest(run, dataset.train.images.slice(9 * SIZE, 10 * SIZE));
  expect(same.found[0]).toMatchObject({ index: 9, distance: 0 });
  await run.close();
});

test('equal distances keep the order of the set', () => {
  expect(distances(Float32Array.of(3, 1, 1, 2), Float32Array.of(1)).map(({ at }) => at)).toEqual([
    1, 2, 3, 0,
  ]);
});

test('the arithmetic of every layer arrives at the network’s value', async () => {
  const { run } = await trained();
  for (const { layer, op, output } of shapes) {
    const [, K, P = 1, Q = 1] = output;
    const pixel = { k: K - 1, p: P >> 1, q: Q >> 1 };
    const found = await look(run, { image, layer: layer.name, pixel, maps: [layer.name] });
    expect(Object.keys(found.overviews)).toEqual([layer.name]);
    if (op.name === 'conv') {
      expect(found.pixel?.error).toBeLessThan(1e-6);
      expect(found.terms).toBeUndefined();
      continue;
    }
    const { network, result, error, terms, left } = found.terms!;
    expect(network).toBe(found.output.values[(pixel.k * P + pixel.p) * Q + pixel.q]);
    expect(result).toBeCloseTo(network, 4);
    expect(error).toBeLessThan(1e-5);
    expect([layer.name, terms.length, left]).toEqual([
      layer.name,
      ...({ add: [2, 0], max_pool: [4, 0], linear: [25, 39] }[op.name] ?? [1, 0]),
    ]);
  }
  await run.close();
});

test('maps of test images, by step', async () => {
  const { run } = await trained();
  expect(await recordEmbedding(run)).toEqual([{ step: 3, epoch: 0 }]);
  for (let i = 0; i < 8; i++) await run.stepOnce();
  const moments = await recordEmbedding(run);
  expect(moments).toEqual([
    { step: 3, epoch: 0 },
    { step: 11, epoch: 1 },
  ]);
  const [first, second] = [await embedding(run, 3, 'pca'), await embedding(run, 11, 'pca')];
  expect(first).toMatchObject({ step: 3, method: 'pca', values: 64 });
  expect([...second.indices]).toEqual([...dataset.test.labels.keys()]);
  expect([...second.labels]).toEqual([...dataset.test.labels]);
  const evaluation = await run.evaluate('test');
  expect([...second.predictions]).toEqual([...evaluation.predictions]);
  // The second map is turned to look like the first.
  const together = (points: Float32Array) =>
    points.reduce((sum, value, i) => sum + value * first.points[i], 0);
  expect(together(second.points)).toBeGreaterThan(0);
  const umap = await embedding(run, 11, 'umap');
  expect(umap.points).toHaveLength(80);
  expect(umap.points.every(Number.isFinite)).toBe(true);
  await expect(embedding(run, 5, 'pca')).rejects.toMatchObject({ code: 'not-found' });
  await run.close();
});
