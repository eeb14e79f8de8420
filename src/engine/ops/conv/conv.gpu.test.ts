import { describe, test } from 'vitest';
import { expectClose, expectExact } from '../../testing/check.ts';
import { integers, normals } from '../../testing/fixtures.ts';
import { runPlan } from '../../testing/gpu.ts';
import { CONV_PROBLEMS } from '../../testing/problems.ts';
import { reluBackward, reluForward } from '../relu/reference.ts';
import { convAlgorithms } from './algorithms/index.ts';
import { DIRECTIONS, inputShape, outputShape, weightShape } from './problem.ts';
import { convBiasGradient, convDgrad, convFprop, convWgrad } from './reference.ts';

const cases = CONV_PROBLEMS.flatMap(({ name, problem }, i) =>
  DIRECTIONS.map((direction) => ({ name, problem, direction, extras: i % 2 === 0 })),
);

// A new algorithm is tested by being there, on every problem that it says it supports.
describe.each(convAlgorithms.all())('$name', (algorithm) => {
  const supported = cases.filter((one) => algorithm.unsupported(one.problem, one.direction) === undefined);

  // Every other problem comes with all extras: a bias and ReLU in fprop, a mask in dgrad, the bias's gradient in wgrad.
  test.each(supported)('$direction, $name', async ({ problem, direction, extras }) => {
    for (const kind of ['integers', 'normals']) {
      const make = kind === 'integers' ? integers : normals;
      const x = make(1, inputShape(problem));
      const w = make(2, weightShape(problem));
      const dy = make(3, outputShape(problem));
      const bias = make(4, [problem.K]);
      // The contract for real numbers is 2e-6; whole numbers leave no choice.
      const check = (label: string, actual: Float32Array, expected: Float64Array) =>
        kind === 'integers'
          ? expectExact(label, actual, expected)
          : expectClose(label, actual, expected, 2e-6);
      if (direction === 'fprop') {
        const { y } = await runPlan({
          inputs: { x, w, bias },
          outputs: { y: dy.shape },
          build: (plan, t) => {
            const given = extras ? { bias: t.bias, relu: true } : {};
            algorithm.fprop(plan, direction, problem, { x: t.x, w: t.w, y: t.y, ...given });
          },
        });
        const expected = convFprop(problem, x.data, w.data, extras ? bias.data : undefined);
        check('y', y, extras ? reluForward(expected) : expected);
      } else if (direction === 'dgrad') {
        const { dx } = await runPlan({
          inputs: { dy, w, x },
          outputs: { dx: x.shape },
          build: (plan, t) => {
            const given = extras ? { mask: t.x } : {};
            algorithm.dgrad(plan, direction, problem, { dy: t.dy, w: t.w, dx: t.dx, ...given });
          },
        });
        const expected = convDgrad(problem, w.data, dy.data);
        check('dx', dx, extras ? reluBackward(x.data, expected) : expected);
      } else {
        const { dw, db } = await runPlan({
          inputs: { dy, x },
          outputs: { dw: w.shape, db: [problem.K] },
          build: (plan, t) => {
            const given = extras ? { db: t.db } : {};
            algorithm.wgrad(plan, direction, problem, { dy: t.dy, x: t.x, dw: t.dw, ...given });
          },
        });
        check('dw', dw, convWgrad(problem, x.data, dy.data));
        // Real numbers of both signs can cancel here until little more than rounding is left.
        if (extras && kind === 'integers') expectExact('db', db, convBiasGradient(problem, dy.data));
      }
    }
  });
});
