import { describe, expect, test } from 'vitest';
import { expectExact } from '../../testing/check.ts';
import { integers, type FixtureValues } from '../../testing/fixtures.ts';
import { runPlan } from '../../testing/gpu.ts';
import { testNode } from '../../testing/node.ts';
import { MAXOUT_PROBLEMS } from '../../testing/problems.ts';
import { reluBackward } from '../relu/reference.ts';
import maxout from './index.ts';
import { maxoutBackward, maxoutForward } from './reference.ts';

async function run(pieces: number, x: FixtureValues, maskInput: boolean) {
  const shape = maxout.outputShape({ pieces }, x.shape);
  const dy = integers(2, shape);
  const outputs = await runPlan({
    inputs: { x, dy },
    outputs: { y: shape, dx: x.shape },
    build(plan, t) {
      const given = { input: t.x, output: t.y, outputGradient: t.dy, inputGradient: t.dx, maskInput };
      const node = testNode({ pieces }, given);
      maxout.forward(plan, node);
      maxout.backward(plan, node);
    },
  });
  return { ...outputs, dy: dy.data };
}

describe.each([false, true])('mask %s', (mask) => {
  test.each(MAXOUT_PROBLEMS)('$pieces pieces, $shape', async ({ shape, pieces }) => {
    // Few distinct values, so that groups contain equal maxima and the choice among them shows in dx.
    const x = integers(1, shape, 2);
    const { y, dx, dy } = await run(pieces, x, mask);
    const expected = maxoutForward(shape, pieces, x.data);
    const gradient = maxoutBackward(shape, expected.argmax, dy);
    expectExact('y', y, expected.y);
    expectExact('dx', dx, mask ? reluBackward(x.data, gradient) : gradient);
  });
});

test('NaN and infinities as in PyTorch', async () => {
  const shape = [1, 9];
  const data = Float32Array.of(1, NaN, NaN, -Infinity, -Infinity, -Infinity, -3, Infinity, 3);
  const { y, dx, dy } = await run(3, { shape, data }, false);
  const { argmax } = maxoutForward(shape, 3, data);
  expect([...y]).toEqual([NaN, -Infinity, Infinity]);
  expect([...argmax]).toEqual([1, 3, 7]);
  expectExact('dx', dx, maxoutBackward(shape, argmax, dy));
});
