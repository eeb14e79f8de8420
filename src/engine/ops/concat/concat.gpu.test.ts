import { expect, test } from 'vitest';
import { expectExact } from '../../testing/check.ts';
import { integers } from '../../testing/fixtures.ts';
import { runPlan } from '../../testing/gpu.ts';
import { testNode } from '../../testing/node.ts';
import concat from './index.ts';
import passes from './passes.ts';
import { concatBackward, concatForward } from './reference.ts';

test.each([
  { N: 1, channels: [1, 1, 1], plane: [1, 1] },
  { N: 3, channels: [2, 5, 1], plane: [3, 7] },
  { N: 4, channels: [16, 3, 8], plane: [] },
])('$N images, channels $channels, plane $plane', async ({ N, channels, plane }) => {
  const shapes = channels.map((C) => [N, C, ...plane]);
  const [a, b, c] = shapes.map((shape, i) => integers(i + 1, shape));
  const dy = integers(9, concat.outputShape({}, shapes[0], ...shapes.slice(1)));
  const { y, da, db, dc } = await runPlan({
    inputs: { a, b, c, dy },
    outputs: { y: dy.shape, da: a.shape, db: b.shape, dc: c.shape },
    build(plan, t) {
      const given = { input: t.a, inputs: [t.a, t.b, t.c], output: t.y, outputGradient: t.dy };
      const node = testNode({}, { ...given, inputGradients: [t.da, t.db, t.dc] });
      passes.forward(plan, node);
      passes.backward(plan, node);
    },
  });
  const runs = channels.map((C) => C * plane.reduce((product, size) => product * size, 1));
  expectExact('y', y, concatForward([a.data, b.data, c.data], runs));
  const expected = concatBackward(dy.data, runs);
  [da, db, dc].forEach((dx, i) => expectExact(`dx ${i}`, dx, expected[i]));
});

test('shapes that differ in other dimensions than channels are refused', () =>
  expect(() => concat.outputShape({}, [2, 3, 4, 4], [2, 3, 4, 5])).toThrow(
    /concat: expected inputs \[N, C, ...\] that differ in C only, found \[2, 3, 4, 4\], \[2, 3, 4, 5\]/,
  ));
