import { describe, expect, test } from 'vitest';
import { expectClose, expectExact } from '../../testing/check.ts';
import { integers, normals } from '../../testing/fixtures.ts';
import { runPlan } from '../../testing/gpu.ts';
import { complete, testNode } from '../../testing/node.ts';
import { ADAPTIVE_POOL_PROBLEMS, POOL_PROBLEMS } from '../../testing/problems.ts';
import { reluBackward } from '../relu/reference.ts';
import { poolOutputShape } from './geometry.ts';
import {
  adaptiveAvgPoolBackward,
  adaptiveAvgPoolForward,
  avgPoolBackward,
  avgPoolForward,
} from './reference.ts';
import { adaptiveAvgPool, avgPool } from './avg.ts';

describe.each([
  { countIncludePad: true, mask: false },
  { countIncludePad: false, mask: true },
])('padding counts: $countIncludePad, mask: $mask', ({ countIncludePad, mask }) => {
  test.each(POOL_PROBLEMS)('$name', async ({ attributes, problem }) => {
    const x = integers(1, [problem.N, problem.C, problem.H, problem.W]);
    const dy = integers(2, poolOutputShape(problem));
    const { y, dx } = await runPlan({
      inputs: { x, dy },
      outputs: { y: dy.shape, dx: x.shape },
      build(plan, t) {
        const given = { input: t.x, output: t.y, outputGradient: t.dy, inputGradient: t.dx, maskInput: mask };
        const node = testNode({ ...attributes, countIncludePad }, given);
        avgPool.forward(plan, node);
        avgPool.backward(plan, node);
      },
    });
    const gradient = avgPoolBackward(problem, dy.data, countIncludePad);
    const expected = {
      y: avgPoolForward(problem, x.data, countIncludePad),
      dx: mask ? reluBackward(x.data, gradient) : gradient,
    };
    // Integers over a power of two are exact; the rest rounds.
    const { R, S } = problem;
    if (countIncludePad && [1, 2, 4].includes(R) && [1, 2, 4].includes(S)) {
      expectExact('y', y, expected.y);
      expectExact('dx', dx, expected.dx);
    } else {
      expectClose('y', y, expected.y, 3e-7);
      expectClose('dx', dx, expected.dx, 1e-6);
    }
  });
});

describe.each([false, true])('adaptive, mask %s', (mask) => {
  test.each(ADAPTIVE_POOL_PROBLEMS)('$name', async ({ outputSize, input, output }) => {
    const x = integers(1, input);
    const dy = normals(2, output);
    const { y, dx } = await runPlan({
      inputs: { x, dy },
      outputs: { y: output, dx: input },
      build(plan, t) {
        const given = { input: t.x, output: t.y, outputGradient: t.dy, inputGradient: t.dx, maskInput: mask };
        const node = testNode({ outputSize }, given);
        adaptiveAvgPool.forward(plan, node);
        adaptiveAvgPool.backward(plan, node);
      },
    });
    const gradient = adaptiveAvgPoolBackward(input, output, dy.data);
    expectClose('y', y, adaptiveAvgPoolForward(input, output, x.data), 3e-7);
    expectClose('dx', dx, mask ? reluBackward(x.data, gradient) : gradient, 1e-6);
  });
});

test('adaptive: one window over all gives the bits of average pooling, in both passes', async () => {
  const [input, output] = [
    [3, 5, 8, 8],
    [3, 5, 1, 1],
  ];
  const { y, dx, z, dz } = await runPlan({
    inputs: { x: normals(1, input), dy: normals(2, output) },
    outputs: { y: output, dx: input, z: output, dz: input },
    build(plan, t) {
      const given = { input: t.x, outputGradient: t.dy };
      const adaptive = testNode({ outputSize: [1, 1] } as const, {
        ...given,
        output: t.y,
        inputGradient: t.dx,
      });
      adaptiveAvgPool.forward(plan, adaptive);
      adaptiveAvgPool.backward(plan, adaptive);
      const plain = testNode(complete(avgPool, { kernelSize: [8, 8] }), {
        ...given,
        output: t.z,
        inputGradient: t.dz,
      });
      avgPool.forward(plan, plain);
      avgPool.backward(plan, plain);
    },
  });
  expect(y).toEqual(z);
  expect(dx).toEqual(dz);
});
