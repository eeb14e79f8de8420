import { test, expect } from 'vitest';
import { expectExact } from '../../testing/check.ts';
import { integers } from '../../testing/fixtures.ts';
import { runPlan } from '../../testing/gpu.ts';
import { testNode } from '../../testing/node.ts';
import { reluBackward, reluForward } from '../relu/reference.ts';
import add from './index.ts';
import { addForward } from './reference.ts';
import { planSum } from './sum.ts';

// Sizes that are multiples of four and others; the last needs more workgroups than one dimension has.
const sizes = [1, 4, 63, 256, 1001].flatMap((count) => [false, true].map((relu) => ({ count, relu })));
test.each([...sizes, { count: 64 * 65535 + 1, relu: true }])(
  '$count numbers, ReLU: $relu',
  async ({ count, relu }) => {
    const [a, b] = [1, 2].map((seed) => integers(seed, [count]));
    const { y } = await runPlan({
      inputs: { a, b },
      outputs: { y: [count] },
      build: (plan, t) =>
        add.forward(
          plan,
          testNode({}, { input: t.a, inputs: [t.a, t.b], output: t.y, outputGradient: t.y, relu }),
        ),
    });
    const sum = addForward(a.data, b.data);
    expectExact('y', y, relu ? reluForward(sum) : sum);
  },
);

test.each([60, 61])('three terms of %i numbers, masked', async (count) => {
  const [a, b, c, z] = [1, 2, 3, 4].map((seed) => integers(seed, [count]));
  const { y } = await runPlan({
    inputs: { a, b, c, z },
    outputs: { y: [count] },
    build: (plan, t) => planSum(plan, 'sum', [t.a, t.b, t.c], t.y, { mask: t.z }),
  });
  expectExact('y', y, reluBackward(z.data, addForward(a.data, b.data, c.data)));
});

test('values that are not finite do not change', async () => {
  const a = { shape: [4], data: Float32Array.of(NaN, Infinity, -Infinity, 1) };
  const b = { shape: [4], data: Float32Array.of(1, 1, 1, NaN) };
  const { y } = await runPlan({
    inputs: { a, b },
    outputs: { y: [4] },
    build: (plan, t) => planSum(plan, 'sum', [t.a, t.b], t.y, { relu: true }),
  });
  expect([...y]).toEqual([NaN, Infinity, 0, NaN]);
});

test('different shapes are refused', () =>
  expect(() => add.outputShape({}, [2, 3], [2, 3], [3, 2])).toThrow(
    /add: expected inputs of one shape, found \[2, 3\] and \[3, 2\]/,
  ));
