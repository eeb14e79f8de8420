import { sliceBytes, slicedGradients } from '../../../../gemm/slices.ts';
import { grid } from '../../../../plan.ts';
import { problemConstants, type ConvAlgorithm } from '../../algorithm.ts';
import type { ConvProblem } from '../../problem.ts';

/** Numbers in dw, and in db. */
const weights = ({ K, C, groups, R, S }: ConvProblem) => (K * C * R * S) / groups;

/** Images are cut into slices until there are about this many threads. */
const WGRAD_THREADS = 32768;

const slicesOf = (problem: ConvProblem) =>
  Math.max(1, Math.min(problem.N, Math.round(WGRAD_THREADS / (weights(problem) + problem.K))));

const direct: ConvAlgorithm = {
  name: 'direct',
  summary: 'One thread an output, straight from the definition. The baseline.',

  unsupported: () => undefined,

  workspaceBytes: (_plan, problem, direction) =>
    direction === 'wgrad' ? sliceBytes(slicesOf(problem), weights(problem), problem.K) : 0,

  fprop(plan, label, problem, { x, w, bias, y, relu = false }) {
    const { N, K, P, Q } = problem;
    plan.dispatch({
      label,
      kernel: {
        shader: 'conv/direct/fprop',
        constants: { ...problemConstants(problem), HAS_BIAS: bias !== undefined, RELU: relu },
      },
      tensors: { x, w, bias: bias ?? w, y },
      uniforms: { N },
      workgroups: grid(N * K * P * Q, 64),
    });
  },

  dgrad(plan, label, problem, { dy, w, dx, mask }) {
    const { N, C, H, W } = problem;
    plan.dispatch({
      label,
      kernel: {
        shader: 'conv/direct/dgrad',
        constants: { ...problemConstants(problem), MASK: mask !== undefined },
      },
      tensors: { dy, w, x: mask ?? w, dx },
      uniforms: { N },
      workgroups: grid(N * C * H * W, 64),
    });
  },

  wgrad(plan, label, problem, { dy, x, dw, db }) {
    const { N, K } = problem;
    const slices = slicesOf(problem);
    const sliced = slicedGradients(plan, label, slices, dw, db);
    plan.dispatch({
      label,
      kernel: {
        shader: 'conv/direct/wgrad',
        constants: { ...problemConstants(problem), HAS_BIAS: db !== undefined, SLICES: slices },
      },
      tensors: { dy, x, dw: sliced.dw, db: sliced.db },
      uniforms: { N },
      workgroups: grid(slices * (weights(problem) + (db ? K : 0)), 64),
    });
    sliced.finish();
  },
};

export default direct;
