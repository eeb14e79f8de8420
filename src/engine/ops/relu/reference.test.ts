import { expect, test } from 'vitest';
import { normals } from '../../testing/fixtures.ts';
import { gradcheck } from '../../testing/gradcheck.ts';
import { reluBackward, reluForward } from './reference.ts';

test('forward by hand', () => {
  expect([...reluForward([-2, 0, 3, NaN, -Infinity, Infinity])]).toEqual([0, 0, 3, NaN, 0, Infinity]);
});

test('no gradient at 0', () => expect([...reluBackward([0, 1], [5, 5])]).toEqual([0, 5]));

test('the gradient agrees with central differences', () => {
  const x = normals(1, [50]).data;
  gradcheck('relu', x, reluForward, (dy) => reluBackward(reluForward(x), dy));
});
