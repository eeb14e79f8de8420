import { expect, test } from 'vitest';
import { normals } from '../../testing/fixtures.ts';
import { gradcheck } from '../../testing/gradcheck.ts';
import { concatBackward, concatForward } from './reference.ts';

test('by hand', () => {
  expect([
    ...concatForward(
      [
        [1, 2],
        [3, 4, 5, 6],
      ],
      [1, 2],
    ),
  ]).toEqual([1, 3, 4, 2, 5, 6]);
  expect(concatBackward([1, 3, 4, 2, 5, 6], [1, 2]).map((dx) => [...dx])).toEqual([
    [1, 2],
    [3, 4, 5, 6],
  ]);
});

test('the gradient of each input agrees with central differences', () => {
  const runs = [2, 5, 1];
  const inputs = runs.map((run, i) => normals(i, [3, run]).data);
  inputs.forEach((x, i) => {
    const forward = (v: Float64Array) =>
      concatForward(
        inputs.map((input, j) => (i === j ? v : input)),
        runs,
      );
    gradcheck(`input ${i}`, x, forward, (dy) => concatBackward(dy, runs)[i]);
  });
});
