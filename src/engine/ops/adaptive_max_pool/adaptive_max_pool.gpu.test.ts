import { describe, expect, test } from 'vitest';
import { expectExact } from '../../testing/check.ts';
import { integers, type Values } from '../../testing/fixtures.ts';
import { runPlan } from '../../testing/gpu.ts';
import { testNode } from '../../testing/node.ts';
import { ADAPTIVE_POOL_PROBLEMS } from '../../testing/problems.ts';
import type { Pair } from '../pooling.ts';
import { reluBackward } from '../relu/reference.ts';
import adaptiveMaxPool from './index.ts';
import { adaptiveMaxPoolBackward, adaptiveMaxPoolForward } from './reference.ts';

async function run(outputSize: Pair, x: Values, maskInput: boolean) {
  const shape = adaptiveMaxPool.outputShape({ outputSize }, x.shape);
  const dy = integers(2, shape);
  const outputs = await runPlan({
    inputs: { x, dy },
    outputs: { y: shape, dx: x.shape },
    build(plan, t) {
      const given = { input: t.x, output: t.y, outputGradient: t.dy, inputGradient: t.dx, maskInput };
      const node = testNode({ outputSize }, given);
      adaptiveMaxPool.forward(plan, node);
      adaptiveMaxPool.backward(plan, node);
    },
  });
  return { ...outputs, dy: dy.data };
}

describe.each([false, true])('mask %s', (mask) => {
  test.each(ADAPTIVE_POOL_PROBLEMS)('$name', async ({ outputSize, input, output }) => {
    // Few values, so that windows hold equal maxima and the choice among them shows in dx.
    const x = integers(1, input, 2);
    const { y, dx, dy } = await run(outputSize, x, mask);
    const expected = adaptiveMaxPoolForward(input, output, x.data);
    const gradient = adaptiveMaxPoolBackward(input, expected.argmax, dy);
    expectExact('y', y, expected.y);
    expectExact('dx', dx, mask ? reluBackward(x.data, gradient) : gradient);
  });
});

test('NaN and infinities as PyTorch has them', async () => {
  const input = [1, 1, 1, 9];
  const data = Float32Array.of(NaN, 1, NaN, -Infinity, -Infinity, -Infinity, -3, Infinity, -Infinity);
  const { y, dx, dy } = await run([1, 3], { shape: input, data }, false);
  const expected = adaptiveMaxPoolForward(input, [1, 1, 1, 3], data);
  expect([...y]).toEqual([NaN, -Infinity, Infinity]);
  expect([...expected.argmax]).toEqual([2, 3, 7]);
  expectExact('dx', dx, adaptiveMaxPoolBackward(input, expected.argmax, dy));
});
