import { expect, test } from 'vitest';
import { cornerOf, GAP, layOut, tileAt } from './tiles.ts';

test('tiles fill rows, with whole pixels per value', () => {
  const layout = layOut(6, [28, 28], 56, 200);
  expect(layout).toMatchObject({ zoom: 2, columns: 3, rows: 2, stepX: 56 + GAP, width: 3 * 60 - GAP });
  expect(cornerOf(layout, 4)).toEqual([60, 60]);
  expect(tileAt(layout, 6, 61, 61)).toBe(4);
  expect(tileAt(layout, 6, 57, 3)).toBeUndefined();
  expect(tileAt(layout, 6, -1, 3)).toBeUndefined();
  expect(tileAt(layout, 5, 130, 70)).toBeUndefined();
});

test('a tile wider than the row gets its own row, and few tiles take little space', () => {
  expect(layOut(3, [300, 10], 20, 100)).toMatchObject({ zoom: 1, columns: 1, rows: 3, width: 300 });
  expect(layOut(2, [1, 1], 16, 500)).toMatchObject({ zoom: 16, columns: 2, rows: 1, width: 2 * 20 - GAP });
});
