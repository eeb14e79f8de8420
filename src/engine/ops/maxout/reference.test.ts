import { describe, expect, test } from 'vitest';
import { Failure } from '../../../base/result.ts';
import type { Shape } from '../../../base/shape.ts';
import { normals } from '../../testing/fixtures.ts';
import { gradcheck } from '../../testing/gradcheck.ts';
import { complete } from '../../testing/node.ts';
import { MAXOUT_PROBLEMS } from '../../testing/problems.ts';
import maxout from './index.ts';
import { maxoutBackward, maxoutForward } from './reference.ts';

test('by hand: two places, four channels in pairs; the first of equal values wins, NaN wins over all', () => {
  const { y, argmax } = maxoutForward([1, 4, 2], 2, [1, 5, 2, 5, NaN, -3, 9, -2]);
  expect([...y]).toEqual([2, 5, NaN, -2]);
  expect([...argmax]).toEqual([2, 1, 4, 7]);
  expect([...maxoutBackward([1, 4, 2], argmax, [1, 2, 3, 4])]).toEqual([0, 2, 1, 0, 3, 0, 0, 4]);
});

describe('the gradient agrees with central differences', () => {
  test.each(MAXOUT_PROBLEMS)('$pieces pieces, $shape', ({ shape, pieces }) => {
    const x = normals(1, shape).data;
    const { argmax } = maxoutForward(shape, pieces, x);
    gradcheck(
      'x',
      x,
      (v) => maxoutForward(shape, pieces, v).y,
      (dy) => maxoutBackward(shape, argmax, dy),
    );
  });
});

test.each<[string, number, Shape, RegExp]>([
  ['no pieces', undefined as unknown as number, [2, 4], /pieces to be a whole number of at least 1/],
  ['half a piece', 1.5, [2, 4], /found 1.5/],
  ['channels that do not divide', 3, [2, 4, 5, 5], /C a multiple of 3, found \[2, 4, 5, 5\]/],
  ['no channels', 1, [4], /of shape \[N, C, ...\]/],
])('refuses %s', (_, pieces, input, message) => {
  const shape = () => maxout.outputShape(complete(maxout, { pieces }), input);
  expect(shape).toThrow(message);
  expect(shape).toThrow(Failure);
});
