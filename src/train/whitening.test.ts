import { describe, expect, test } from 'vitest';
import { Random } from '../base/random.ts';
import { Failure } from '../base/result.ts';
import type { Layer } from '../engine/graph.ts';
import { whitenedWeight } from './whitened-weight.ts';
import { whiteningFilters } from './whitening.ts';

const COUNT = 40;
const INPUT = [3, 6, 5];
const random = new Random(1, 'images');
/** Neighbours resemble each other, and channels too. */
const images = Uint8Array.from({ length: COUNT * 90 }, (_, i) => {
  const wave = Math.sin(Math.floor(i / 90) + (i % 30) / 7);
  return 128 + 60 * wave + random.below(40);
});
const dataset = {
  train: { images, labels: new Uint8Array(COUNT), count: COUNT },
  mean: [0.5, 0.4, 0.6],
  std: [0.2, 0.25, 0.3],
};
const layersOf = (outChannels: number, kernelSize: [number, number], groups = 1): Layer[] => [
  { name: 'stem', op: 'conv', attributes: { outChannels, kernelSize, padding: [1, 0], groups } },
  { name: 'flatten', op: 'flatten' },
  { name: 'fc', op: 'linear', attributes: { outFeatures: 2 } },
];

/** All patches of all images, from the definition. */
function patchesOf([R, S]: readonly [number, number]): number[][] {
  const found: number[][] = [];
  for (let n = 0; n < COUNT; n++)
    for (let y = 0; y + R <= 6; y++)
      for (let x = 0; x + S <= 5; x++) {
        const patch: number[] = [];
        for (let c = 0; c < 3; c++)
          for (let r = 0; r < R; r++)
            for (let s = 0; s < S; s++) {
              const byte = images[n * 90 + c * 30 + (y + r) * 5 + x + s];
              patch.push((byte / 255 - dataset.mean[c]) / dataset.std[c]);
            }
        found.push(patch);
      }
  return found;
}

describe('filters', () => {
  test.each([
    { filters: 24, kernel: [2, 2] as [number, number], components: 12 },
    { filters: 40, kernel: [1, 3] as [number, number], components: 9 },
    { filters: 11, kernel: [2, 2] as [number, number], components: 5 },
  ])('$filters of $kernel: uncorrelated, of unit variance, and their negatives', (one) => {
    const { filters, kernel, components } = one;
    const model = { layers: layersOf(filters, kernel), input: INPUT };
    const found = whiteningFilters(model, dataset).get('stem.weight')!;
    const size = 3 * kernel[0] * kernel[1];
    expect(found.length).toBe(2 * components * size);
    const rows = Array.from({ length: 2 * components }, (_, i) => found.subarray(i * size, (i + 1) * size));
    rows.slice(0, components).forEach((row, i) => expect(rows[components + i]).toEqual(row.map((v) => -v)));
    const patches = patchesOf(kernel);
    const responses = rows
      .slice(0, components)
      .map((row) => patches.map((patch) => patch.reduce((sum, value, k) => sum + value * row[k], 0)));
    const mean = (i: number, j: number) =>
      responses[i].reduce((sum, value, n) => sum + value * responses[j][n], 0) / patches.length;
    for (let i = 0; i < components; i++) {
      // value / (value + 5e-4), where value is the component's variance: the length of its filter tells it.
      const length = rows[i].reduce((sum, value) => sum + value * value, 0);
      const variance = 1 / length - 5e-4;
      expect(mean(i, i)).toBeCloseTo(variance * length, 5);
      for (let j = 0; j < i; j++) expect(Math.abs(mean(i, j))).toBeLessThan(1e-5);
    }
  });
});

test.each<[string, Layer[]]>([
  ['without a convolution', layersOf(4, [2, 2]).slice(1)],
  ['with groups', layersOf(6, [2, 2], 3)],
  ['with filters larger than the images', layersOf(4, [7, 2])],
])('a model %s is refused', (_, layers) => {
  expect(() => whitenedWeight({ layers, input: INPUT })).toThrow(Failure);
  expect(() => whitenedWeight({ layers, input: INPUT })).toThrow(/whitening: expected a first convolution/);
});
