import type { Pair } from '../../../base/shape.ts';
import { describe, expect, test } from 'vitest';
import { expectExact } from '../../testing/check.ts';
import { integers, type FixtureValues } from '../../testing/fixtures.ts';
import { runPlan } from '../../testing/gpu.ts';
import { complete, testNode } from '../../testing/node.ts';
import { ADAPTIVE_POOL_PROBLEMS, DILATED_POOL_PROBLEMS, POOL_PROBLEMS } from '../../testing/problems.ts';
import { reluBackward } from '../relu/reference.ts';
import { poolOutputShape, poolProblem, type MaxPoolAttributes } from './geometry.ts';
import {
  adaptiveMaxPoolBackward,
  adaptiveMaxPoolForward,
  maxPoolBackward,
  maxPoolForward,
} from './reference.ts';
import { adaptiveMaxPool, maxPool } from './max.ts';

async function run(attributes: MaxPoolAttributes, x: FixtureValues, maskInput: boolean) {
  const shape = poolOutputShape(poolProblem('max_pool', attributes, x.shape));
  const dy = integers(2, shape);
  const outputs = await runPlan({
    inputs: { x, dy },
    outputs: { y: shape, dx: x.shape },
    build(plan, t) {
      const given = { input: t.x, output: t.y, outputGradient: t.dy, inputGradient: t.dx, maskInput };
      const node = testNode(attributes, given);
      maxPool.forward(plan, node);
      maxPool.backward(plan, node);
    },
  });
  return { ...outputs, dy: dy.data };
}

describe.each([false, true])('mask %s', (mask) => {
  test.each([...POOL_PROBLEMS, ...DILATED_POOL_PROBLEMS])('$name', async ({ attributes, problem }) => {
    // Few distinct values, so that windows contain equal maxima and the choice among them shows in dx.
    const x = integers(1, [problem.N, problem.C, problem.H, problem.W], 2);
    const { y, dx, dy } = await run(attributes, x, mask);
    const expected = maxPoolForward(problem, x.data);
    const gradient = maxPoolBackward(problem, expected.argmax, dy);
    expectExact('y', y, expected.y);
    expectExact('dx', dx, mask ? reluBackward(x.data, gradient) : gradient);
  });
});

test('NaN and infinities as in PyTorch', async () => {
  const data = Float32Array.of(NaN, 1, NaN, 2, -Infinity, -Infinity, Infinity, NaN);
  const attributes = complete(maxPool, { kernelSize: [1, 4], stride: [1, 2] });
  const problem = poolProblem('max_pool', attributes, [1, 1, 1, 8]);
  const { y, dx, dy } = await run(attributes, { shape: [1, 1, 1, 8], data }, false);
  const expected = maxPoolForward(problem, data);
  expect([...y]).toEqual([...expected.y]);
  expect([...y]).toEqual([NaN, NaN, NaN]);
  expectExact('dx', dx, maxPoolBackward(problem, expected.argmax, dy));
});

test('a window of negative infinities', async () => {
  const data = new Float32Array(4).fill(-Infinity);
  const { y, dx, dy } = await run(
    complete(maxPool, { kernelSize: [2, 2] }),
    { shape: [1, 1, 2, 2], data },
    false,
  );
  expect([...y]).toEqual([-Infinity]);
  expectExact('dx', dx, Float64Array.of(dy[0], 0, 0, 0));
});

async function runAdaptive(outputSize: Pair, x: FixtureValues, maskInput: boolean) {
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

describe.each([false, true])('adaptive, mask %s', (mask) => {
  test.each(ADAPTIVE_POOL_PROBLEMS)('$name', async ({ outputSize, input, output }) => {
    // Few distinct values, so that windows contain equal maxima and the choice among them shows in dx.
    const x = integers(1, input, 2);
    const { y, dx, dy } = await runAdaptive(outputSize, x, mask);
    const expected = adaptiveMaxPoolForward(input, output, x.data);
    const gradient = adaptiveMaxPoolBackward(input, expected.argmax, dy);
    expectExact('y', y, expected.y);
    expectExact('dx', dx, mask ? reluBackward(x.data, gradient) : gradient);
  });
});

test('adaptive: NaN and infinities as in PyTorch', async () => {
  const input = [1, 1, 1, 9];
  const data = Float32Array.of(NaN, 1, NaN, -Infinity, -Infinity, -Infinity, -3, Infinity, -Infinity);
  const { y, dx, dy } = await runAdaptive([1, 3], { shape: input, data }, false);
  const expected = adaptiveMaxPoolForward(input, [1, 1, 1, 3], data);
  expect([...y]).toEqual([NaN, -Infinity, Infinity]);
  expect([...expected.argmax]).toEqual([2, 3, 7]);
  expectExact('dx', dx, adaptiveMaxPoolBackward(input, expected.argmax, dy));
});
