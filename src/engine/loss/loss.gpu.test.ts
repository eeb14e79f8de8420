import { describe, expect, test } from 'vitest';
import { packStep, stepSlotBytes } from '../step.ts';
import { expectClose, expectExact } from '../testing/check.ts';
import { integers, labels as someLabels, normals, type FixtureValues } from '../testing/fixtures.ts';
import { runPlan } from '../testing/gpu.ts';
import { planCopy } from '../testing/network.ts';
import { softmaxConfidences, softmaxCrossEntropy } from './index.ts';
import { crossEntropyBackward, crossEntropyForward, mixedLabels } from './reference.ts';

/** Runs a batch with `count` samples, in slot 3 of the metrics and the second slot of the step ring. */
async function run(
  logits: FixtureValues,
  labels: FixtureValues,
  count: number,
  smoothing?: number,
  mixed?: { partners: FixtureValues; mix: number },
  weights?: { given: readonly number[]; lossScale?: number },
) {
  const [rows, classes] = logits.shape;
  const slotBytes = stepSlotBytes(rows);
  const data = new Uint8Array(2 * slotBytes);
  packStep(new DataView(data.buffer), slotBytes, {
    metricsSlot: 3,
    indices: new Uint32Array(count),
    ...(mixed ? { mix: mixed.mix } : {}),
  });
  const metrics = { shape: [10], data: new Float32Array(10).fill(-7) };
  const { gradient, metrics: written } = await runPlan({
    inputs: {
      logits,
      labels,
      partners: mixed?.partners ?? labels,
      lossScale: { shape: [1], data: Float32Array.of(weights?.lossScale ?? 1) },
    },
    outputs: { gradient: [rows, classes], metrics },
    step: { data, slotBytes, offset: slotBytes },
    build: (plan, { partners, lossScale, ...t }) => {
      softmaxCrossEntropy(plan, {
        ...t,
        ...(weights ? { weights: weights.given } : {}),
        ...(weights?.lossScale === undefined ? {} : { scaling: lossScale }),
        ...(smoothing === undefined ? {} : { smoothing }),
        ...(mixed ? { partners } : {}),
      });
    },
  });
  expectExact(
    'other slots',
    written.filter((_, i) => i !== 6 && i !== 7),
    new Float32Array(8).fill(-7),
  );
  return { gradient, loss: written[6], correct: written[7] };
}

const sizes = [
  [1, 1, 1],
  [1, 10, 1],
  [3, 2, 3],
  [64, 10, 64],
  [65, 10, 60],
  [128, 10, 1],
  [300, 7, 257],
  [600, 3, 600],
  [5, 1000, 4],
  [4, 3, 0],
] as const;

test.each(sizes)('%i rows of %i classes, %i samples', async (rows, classes, count) => {
  const logits = normals(1, [rows, classes]);
  const labels = someLabels(2, rows, classes);
  const samples = labels.data.subarray(0, count);
  const { gradient, loss, correct } = await run(logits, labels, count);
  const expected = crossEntropyForward(logits.data, samples, classes);
  const total = expected.losses.reduce((a, b) => a + b, 0);
  const expectedGradient = new Float64Array(rows * classes);
  expectedGradient.set(crossEntropyBackward(logits.data, samples, classes));
  expect(correct).toBe(expected.correct);
  // With one class the loss is 0, but for subtracting and adding the largest logit.
  expect(Math.abs(loss - total)).toBeLessThanOrEqual(2e-6 * Math.max(1, total));
  if (classes === 1) expectExact('gradient', gradient, expectedGradient);
  else expectClose('gradient', gradient, expectedGradient, 1e-6);
});

test.each([
  [65, 10, 60, 0.1],
  [5, 1000, 4, 0.2],
  [7, 3, 7, 1],
  [7, 3, 7, 1e-3],
])('%i rows of %i classes, %i samples, smoothing %d', async (rows, classes, count, smoothing) => {
  const logits = normals(1, [rows, classes]);
  const labels = someLabels(2, rows, classes);
  const samples = labels.data.subarray(0, count);
  const { gradient, loss, correct } = await run(logits, labels, count, smoothing);
  const expected = crossEntropyForward(logits.data, samples, classes, smoothing);
  const total = expected.losses.reduce((a, b) => a + b, 0);
  const expectedGradient = new Float64Array(rows * classes);
  expectedGradient.set(crossEntropyBackward(logits.data, samples, classes, smoothing));
  expect(correct).toBe(expected.correct);
  expect(Math.abs(loss - total)).toBeLessThanOrEqual(2e-6 * total);
  expectClose('gradient', gradient, expectedGradient, 1e-6);
});

test.each([
  [65, 10, 60, 0, 0.75],
  [65, 10, 60, 0.1, 0.3],
  [5, 1000, 4, 0.2, 1],
  [7, 3, 7, 0, 0],
])(
  '%i rows of %i classes, %i samples, smoothing %d, mixed %d',
  async (rows, classes, count, smoothing, mix) => {
    const logits = normals(1, [rows, classes]);
    const [labels, partners] = [someLabels(2, rows, classes), someLabels(3, rows, classes)];
    const { gradient, loss, correct } = await run(logits, labels, count, smoothing, { partners, mix });
    const [first, second] = [labels, partners].map(({ data }) => {
      const samples = data.subarray(0, count);
      const forward = crossEntropyForward(logits.data, samples, classes, smoothing);
      return { ...forward, gradient: crossEntropyBackward(logits.data, samples, classes, smoothing) };
    });
    const total = mixedLabels(mix, first.losses, second.losses).reduce((a, b) => a + b, 0);
    const expectedGradient = new Float64Array(rows * classes);
    expectedGradient.set(mixedLabels(mix, first.gradient, second.gradient));
    expect(Math.abs(loss - total)).toBeLessThanOrEqual(2e-6 * total);
    expectClose('gradient', gradient, expectedGradient, 1e-6);
    expect(correct).toBeCloseTo(mix * first.correct + (1 - mix) * second.correct, 4);
  },
);

describe('class weights', () => {
  const weightsOf = (classes: number) => Array.from({ length: classes }, (_, c) => (c % 4) / 2);

  test.each([
    [65, 10, 60, 0, 1],
    [65, 10, 60, 0.1, 1],
    [300, 7, 257, 0.2, 0.25],
    [9, 300, 9, 0.2, 0.75],
    [3, 2, 3, 0, 0],
  ])(
    '%i rows of %i classes, %i samples, smoothing %d, mixed %d',
    async (rows, classes, count, smoothing, mix) => {
      const logits = normals(1, [rows, classes]);
      const labels = someLabels(2, rows, classes);
      const samples = labels.data.slice(0, count) as Uint32Array<ArrayBuffer>;
      // Images are blended with others of the batch.
      const others = Uint32Array.from(samples, (_, i) => samples[(i + 1) % count]);
      const data = Uint32Array.from(labels.data);
      data.set(others);
      const given = weightsOf(classes);
      const mixed = mix < 1 ? { partners: { ...labels, data }, mix } : undefined;
      const found = await run(logits, labels, count, smoothing, mixed, { given, lossScale: 8 });
      const [first, second] = [samples, others].map((these) => ({
        losses: crossEntropyForward(logits.data, these, classes, smoothing, given).losses,
        gradient: crossEntropyBackward(logits.data, these, classes, smoothing, given),
      }));
      const total = mixedLabels(mix, first.losses, second.losses).reduce((a, b) => a + b, 0);
      const expectedGradient = new Float64Array(rows * classes);
      expectedGradient.set(mixedLabels(mix, first.gradient, second.gradient).map((value) => 8 * value));
      expect(Math.abs(found.loss - total)).toBeLessThanOrEqual(2e-6 * total);
      expectClose('gradient', found.gradient, expectedGradient, 2e-6);
    },
  );

  test('of 1 each give the plain loss, to the bit', async () => {
    const [logits, labels] = [normals(1, [65, 10]), someLabels(2, 65, 10)];
    const given = Array<number>(10).fill(1);
    const found = await run(logits, labels, 60, 0, undefined, { given });
    expect(found).toEqual(await run(logits, labels, 60, 0));
  });

  test('of 0 for all labels of a batch give no loss and no gradient', async () => {
    const labels = { shape: [2], data: Uint32Array.of(1, 1) };
    const found = await run(normals(1, [2, 3]), labels, 2, 0.1, undefined, { given: [1, 0, 2] });
    expect(found.loss).toBe(0);
    expect(found.gradient.every((value) => value === 0)).toBe(true);
  });
});

test('smoothing 0 gives the plain loss, to the bit', async () => {
  const [logits, labels] = [normals(1, [65, 10]), someLabels(2, 65, 10)];
  expect(await run(logits, labels, 60, 0)).toEqual(await run(logits, labels, 60));
});

test.each([-0.1, 1.1, NaN])('smoothing %d is refused', async (smoothing) => {
  const attempt = run(normals(1, [2, 2]), someLabels(2, 2, 2), 2, smoothing);
  await expect(attempt).rejects.toThrow(/expected label smoothing from 0 to 1, found/);
});

test('the first of equal logits is the prediction', async () => {
  const logits = integers(1, [200, 5], 1);
  const labels = someLabels(2, 200, 5);
  const { correct } = await run(logits, labels, 200);
  expect(correct).toBe(crossEntropyForward(logits.data, labels.data, 5).correct);
});

test('large logits do not overflow', async () => {
  const logits = { shape: [2, 2], data: Float32Array.of(3e38, 0, -1000, 0) };
  const { gradient, loss } = await run(logits, { shape: [2], data: Uint32Array.of(0, 0) }, 2);
  expect(loss).toBe(1000);
  expectExact('gradient', gradient, Float64Array.of(0, 0, -0.5, 0.5));
});

describe('logits that are not finite', () => {
  test.each([
    ['NaN first', [NaN, 1, 2]],
    ['NaN last', [1, 2, NaN]],
    ['NaN at the label', [1, NaN, 2]],
    ['infinity', [1, Infinity, 2]],
    ['nothing but negative infinity', [-Infinity, -Infinity, -Infinity]],
  ])('%s gives NaN, in this row alone', async (_, row) => {
    const logits = { shape: [2, 3], data: Float32Array.of(...row, 1, 2, 3) };
    const { gradient, loss } = await run(logits, { shape: [2], data: Uint32Array.of(1, 2) }, 2);
    expect(loss).toBeNaN();
    expect([...gradient.subarray(0, 3)]).toEqual([NaN, NaN, NaN]);
    expect([...gradient.subarray(3)].every(Number.isFinite)).toBe(true);
  });

  test('do not count past the samples', async () => {
    const logits = { shape: [2, 2], data: Float32Array.of(5, 5, NaN, NaN) };
    const { gradient, loss } = await run(logits, { shape: [2], data: Uint32Array.of(0, 0) }, 1);
    expect(loss).toBeCloseTo(Math.LN2, 6);
    expectExact('gradient', gradient, Float64Array.of(-0.5, 0.5, 0, 0));
  });
});

test('evaluation has no gradient', async () => {
  const logits = normals(1, [9, 4]);
  const labels = someLabels(2, 9, 4);
  const slotBytes = stepSlotBytes(9);
  const data = new Uint8Array(slotBytes);
  packStep(new DataView(data.buffer), 0, { metricsSlot: 0, indices: new Uint32Array(9) });
  const { metrics } = await runPlan({
    inputs: { logits, labels },
    outputs: { metrics: [2] },
    step: { data, slotBytes },
    build: (plan, t) => {
      softmaxCrossEntropy(plan, t);
    },
  });
  const { losses, correct } = crossEntropyForward(logits.data, labels.data, 4);
  expectClose(
    'metrics',
    metrics,
    Float64Array.of(
      losses.reduce((a, b) => a + b, 0),
      correct,
    ),
    2e-6,
  );
});

async function confidences(rows: number, classes: number, data: Float32Array<ArrayBuffer>) {
  const { out } = await runPlan({
    inputs: { logits: { shape: [rows, classes], data } },
    outputs: { out: [rows] },
    build(plan, { logits, out: result }) {
      planCopy(plan, softmaxConfidences(plan, logits), result);
    },
  });
  return out;
}

test.each([
  [1, 1],
  [3, 10],
  [70, 7],
  [2, 1000],
])('%i rows of %i classes: the largest probability of float64', async (rows, classes) => {
  // Far apart, so that exponentials of unshifted logits would overflow.
  const { data } = normals(1, [rows, classes]);
  const logits = data.map((v, i) => v * (i % 3 === 0 ? 80 : 1));
  const expected = Float64Array.from({ length: rows }, (_, row) => {
    const own = Array.from(logits.subarray(row * classes, (row + 1) * classes));
    const largest = Math.max(...own);
    return 1 / own.reduce((sum, v) => sum + Math.exp(v - largest), 0);
  });
  expectClose('confidences', await confidences(rows, classes, logits), expected, 1e-6);
});

test('logits that are not finite give no confidence', async () => {
  const found = await confidences(3, 2, Float32Array.of(NaN, 1, 1, Infinity, 0, 0));
  expect([...found]).toEqual([NaN, NaN, 0.5]);
});
