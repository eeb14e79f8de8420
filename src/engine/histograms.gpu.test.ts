import { afterAll, expect, test } from 'vitest';
import { dataset, recorded, residual, testSupply, tiny } from '../train/testing/tiny-run.ts';
import { BINS, binEdges, binOf, BROKEN, countValues, ZERO } from './histograms.ts';
import { inferShapes } from './network.ts';
import { normals } from './testing/fixtures.ts';
import { runPlan } from './testing/gpu.ts';
import { referenceOutputs } from './testing/inference.ts';

const { supply, devices } = testSupply();
afterAll(() => devices.forEach((device) => device.destroy()));

function counted(values: ArrayLike<number>): number[] {
  const counts = new Array<number>(BINS).fill(0);
  for (let i = 0; i < values.length; i++) counts[binOf(values[i])]++;
  return counts;
}

test('bins lie side by side, sixteen per power of two', () => {
  expect(binOf(0)).toBe(ZERO);
  expect(binOf(-1e-30)).toBe(ZERO);
  expect([NaN, Infinity, -Infinity].map(binOf)).toEqual([BROKEN, BROKEN, BROKEN]);
  expect([1e9, -1e9].map(binOf)).toEqual([BINS - 2, 0]);
  expect(binOf(2) - binOf(1)).toBe(16);
  for (let bin = 1; bin < BINS - 2; bin++) {
    const [least, most] = binEdges(bin);
    expect(binEdges(bin + 1)[0]).toBe(most);
    expect(binOf((least + most) / 2)).toBe(bin);
  }
});

test.each([1, 4096, 4097, 100_000])(
  'counts of %i values are exact, and add to what is there',
  async (size) => {
    const { data } = normals(3, [size]);
    const x = data.map((value, i) => (i % 7 === 0 ? 0 : value * 10 ** ((i % 11) - 5)));
    x[size - 1] = NaN;
    const before = new Uint32Array(2 * BINS).fill(5);
    const { counts } = await runPlan({
      inputs: { x: { shape: [size], data: x } },
      outputs: { counts: { shape: [2 * BINS], data: new Float32Array(before.buffer) } },
      build: (plan, t) => countValues(plan, 'x', t.x, t.counts, BINS),
    });
    const found = new Uint32Array(Float32Array.from(counts).buffer);
    expect([...found.subarray(0, BINS)]).toEqual([...before.subarray(BINS)]);
    expect([...found.subarray(BINS)].map((count) => count - 5)).toEqual(counted(x));
  },
);

test('a run’s weights and activations are counted as in float64, and training gives the same bits', async () => {
  const { run } = recorded(tiny({ model: residual }), supply);
  const { run: other, record: untouched } = recorded(tiny({ model: residual }), supply);
  await run.stepOnce();
  await other.stepOnce();
  const state = await run.stateDict();
  const found = await run.ask(async (trainer) => (await trainer.histograms()).count());
  const named = (kind: string, layer: string) =>
    found.find((one) => one.kind === kind && one.layer === layer)!.counts;
  expect(found.map(({ kind, layer }) => `${kind} ${layer}`)).toEqual([
    ...['conv1', 'conv2', 'fc'].flatMap((layer) => [`weights ${layer}`, `gradients ${layer}`]),
    ...['conv1', 'bn1', 'conv2', 'bn2', 'add', 'pool', 'fc'].map((layer) => `activations ${layer}`),
  ]);
  for (const layer of ['conv1', 'conv2', 'fc'])
    expect([...named('weights', layer)], layer).toEqual(counted(state.get(`${layer}.weight`)!.data));
  expect(named('gradients', 'fc').reduce((a, b) => a + b)).toBe(256);
  expect(named('gradients', 'fc')[ZERO]).toBeLessThan(256);

  const shapes = inferShapes(residual.layers, [64, 1, 8, 8]);
  const pixels = Float64Array.from({ length: 64 * 64 }, (_, i) => {
    const index = Math.floor((Math.floor(i / 64) * dataset.train.count) / 64);
    return (dataset.train.images[64 * index + (i % 64)] / 255 - 0.3) / 0.2;
  });
  const outputs = referenceOutputs(shapes, pixels, state);
  // A ReLU is part of the layer before it. A value at the edge of two bins may round to either.
  for (const [layer, place] of [
    ['bn1', 2],
    ['add', 6],
    ['fc', 9],
  ] as const) {
    const expected = counted(outputs[place]);
    const counts = named('activations', layer);
    const moved = expected.reduce((sum, count, bin) => sum + Math.abs(count - counts[bin]), 0);
    expect(
      counts.reduce((a, b) => a + b),
      layer,
    ).toBe(outputs[place].length);
    expect(moved / outputs[place].length, layer).toBeLessThan(0.002);
  }

  await run.stepOnce();
  await other.stepOnce();
  expect(await run.stateDict()).toEqual(await other.stateDict());
  expect(untouched.losses).toHaveLength(2);
  await run.close();
  await other.close();
});
