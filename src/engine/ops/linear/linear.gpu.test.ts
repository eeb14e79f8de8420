import { describe, test } from 'vitest';
import { expectClose, expectExact } from '../../testing/check.ts';
import { integers, normals } from '../../testing/fixtures.ts';
import { asIfOn, runPlan, testDevice } from '../../testing/gpu.ts';
import { testNode } from '../../testing/node.ts';
import { LINEAR_PROBLEMS } from '../../testing/problems.ts';
import { reluBackward, reluForward } from '../relu/reference.ts';
import linear from './index.ts';
import {
  linearBiasGradient,
  linearDgrad,
  linearFprop,
  linearWgrad,
  type LinearProblem,
} from './reference.ts';

/**
 * SwiftShader, which compiles kernels for each, takes every other, with extras or without; the CPU engine runs its kernels
 * for all of them.
 */
const { cpu, software } = (await testDevice()).adapter;
const problems = LINEAR_PROBLEMS.filter((_, i) => !software || i % 2 === 0);

// Extras: a bias and its gradient, ReLU, and a mask for the input's gradient.
describe.each([false, true])('extras: %s', (extras) => {
  test.each(problems.filter((_, i) => !software || extras === (i % 2 === 1)))(
    '$name',
    async ({ problem }) => {
      await expectCorrect(problem, extras);
      if (cpu) await asIfOn('SwiftShader', () => expectCorrect(problem, extras));
    },
  );
});

async function expectCorrect(problem: LinearProblem, extras: boolean): Promise<void> {
  const { N, inFeatures, outFeatures } = problem;
  for (const make of [integers, normals]) {
    const x = make(1, [N, inFeatures]);
    const w = make(2, [outFeatures, inFeatures]);
    const b = make(3, [outFeatures]);
    const dy = make(4, [N, outFeatures]);
    const { y, dx, dw, db } = await runPlan({
      inputs: { x, w, b, dy },
      outputs: { y: dy.shape, dx: x.shape, dw: w.shape, db: b.shape },
      build(plan, t) {
        const node = testNode(
          { outFeatures, bias: extras },
          {
            input: t.x,
            output: t.y,
            outputGradient: t.dy,
            inputGradient: t.dx,
            parameters: extras ? { weight: t.w, bias: t.b } : { weight: t.w },
            gradients: extras ? { weight: t.dw, bias: t.db } : { weight: t.dw },
            relu: extras,
            maskInput: extras,
          },
        );
        linear.forward(plan, node);
        linear.backward(plan, node);
      },
    });
    const check = (label: string, actual: Float32Array, expected: Float64Array) =>
      make === integers ? expectExact(label, actual, expected) : expectClose(label, actual, expected, 2e-6);
    const product = linearFprop(problem, x.data, w.data, extras ? b.data : undefined);
    check('y', y, extras ? reluForward(product) : product);
    const gradient = linearDgrad(problem, w.data, dy.data);
    check('dx', dx, extras ? reluBackward(x.data, gradient) : gradient);
    check('dw', dw, linearWgrad(problem, x.data, dy.data));
    // Real numbers of both signs can cancel here until little but rounding errors is left.
    if (extras && make === integers) expectExact('db', db, linearBiasGradient(problem, dy.data));
  }
}
