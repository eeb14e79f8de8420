import { expect, test } from 'vitest';
import { cellOf, CHANNELS, IMAGES, mapCells } from './cells.ts';

test('a cell is a padded problem, its work that of the direct method', () => {
  const { sizes, flops } = cellOf(4, 8, 2, 3);
  expect(sizes).toEqual({
    N: 2,
    C: 4,
    H: 8,
    W: 8,
    K: 4,
    R: 3,
    S: 3,
    stride: [1, 1],
    padding: [1, 1],
    dilation: [1, 1],
    groups: 1,
  });
  expect(flops).toBe(2 * 2 * 4 * 4 * 8 * 8 * 3 * 3);
});

test('the least work comes first, and too much is left out', () => {
  const cells = mapCells(CHANNELS, IMAGES, 16, 3, 1e9);
  const work = cells.map(({ flops }) => flops);
  expect(work).toEqual([...work].sort((a, b) => a - b));
  expect(Math.max(...work)).toBeLessThanOrEqual(1e9);
  expect(mapCells(CHANNELS, IMAGES, 1, 1, Infinity)).toHaveLength(60);
});
