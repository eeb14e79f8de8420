import { expect, test } from 'vitest';
import { normals } from '../../testing/fixtures.ts';
import { gradcheck } from '../../testing/gradcheck.ts';
import { complete } from '../../testing/node.ts';
import { PAD_PROBLEMS } from '../../testing/problems.ts';
import pad from './index.ts';
import { padBackward, padForward } from './reference.ts';

test('by hand', () => {
  const shape = [1, 1, 2, 3];
  const x = [1, 2, 3, 4, 5, 6];
  expect([
    ...padForward(complete(pad, { padding: { top: 1, bottom: 0, left: 0, right: 1 }, value: 9 }), shape, x),
  ]).toEqual([...[9, 9, 9, 9], ...[1, 2, 3, 9], ...[4, 5, 6, 9]]);
  const reflected = complete(pad, { padding: { top: 1, bottom: 1, left: 2, right: 0 }, mode: 'reflect' });
  expect([...padForward(reflected, shape, x)]).toEqual([
    ...[6, 5, 4, 5, 6],
    ...[3, 2, 1, 2, 3],
    ...[6, 5, 4, 5, 6],
    ...[3, 2, 1, 2, 3],
  ]);
  expect([...padBackward(reflected, shape, Array(20).fill(1))]).toEqual([2, 4, 4, 2, 4, 4]);
});

test.each(PAD_PROBLEMS)('$name: the gradient agrees with central differences', ({ attributes, input }) => {
  gradcheck(
    'x',
    normals(1, input).data,
    (v) => padForward(attributes, input, v),
    (dy) => padBackward(attributes, input, dy),
  );
});
