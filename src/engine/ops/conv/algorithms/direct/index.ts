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
  summary:
    'Straight from the definition: each thread walks over the filter for its own output. The baseline.',
  tolerance: 2e-6,
  exact: true,

  unsupported: () => undefined,

  fprop(setting) {
    const { N, K, P, Q } = setting.problem;
    return [
      {
        name: 'a thread an output',
        workspaceBytes: 0,
        add(plan, label, { x, w, bias, y, relu = false }) {
          plan.dispatch({
            label,
            kernel: {
              shader: 'conv/direct/fprop',
              constants: { ...problemConstants(setting), HAS_BIAS: bias !== undefined, RELU: relu },
            },
            tensors: { x, w, bias: bias ?? w, y },
            uniforms: { N },
            workgroups: grid(N * K * P * Q, 64),
          });
        },
      },
    ];
  },

  dgrad(setting) {
    const { N, C, H, W } = setting.problem;
    return [
      {
        name: 'a thread an input',
        workspaceBytes: 0,
        add(plan, label, { dy, w, dx, mask }) {
          plan.dispatch({
            label,
            kernel: {
              shader: 'conv/direct/dgrad',
              constants: { ...problemConstants(setting), MASK: mask !== undefined },
            },
            tensors: { dy, w, x: mask ?? w, dx },
            uniforms: { N },
            workgroups: grid(N * C * H * W, 64),
          });
        },
      },
    ];
  },

  wgrad(setting) {
    const { problem } = setting;
    const { N, K } = problem;
    const slices = slicesOf(problem);
    return [
      {
        name: 'a thread a weight',
        workspaceBytes: sliceBytes(slices, weights(problem), K),
        add(plan, label, { dy, x, dw, db }) {
          const sliced = slicedGradients(plan, label, slices, dw, db);
          plan.dispatch({
            label,
            kernel: {
              shader: 'conv/direct/wgrad',
              constants: { ...problemConstants(setting), HAS_BIAS: db !== undefined, SLICES: slices },
            },
            tensors: { dy, x, dw: sliced.dw, db: sliced.db },
            uniforms: { N },
            workgroups: grid(slices * (weights(problem) + (db ? K : 0)), 64),
          });
          sliced.finish();
        },
      },
    ];
  },
};

export default direct;
