import { describe, test } from 'vitest';
import { expectClose, expectExact } from '../../testing/check.ts';
import { integers } from '../../testing/fixtures.ts';
import { runPlan } from '../../testing/gpu.ts';
import { testNode } from '../../testing/node.ts';
import { POOL_PROBLEMS } from '../../testing/problems.ts';
import { poolOutputShape } from '../pooling.ts';
import { reluBackward } from '../relu/reference.ts';
import avgPool from './index.ts';
import { avgPoolBackward, avgPoolForward } from './reference.ts';

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
    // Whole numbers over a power of two are exact; the rest rounds.
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
