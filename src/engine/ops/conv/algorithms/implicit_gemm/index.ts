import { sliceBytes, slicedGradients } from '../../../../gemm/slices.ts';
import { chooseSlices, chooseTile, tileGrid, type ProductSize } from '../../../../gemm/tiles.ts';
import { problemConstants, type ConvAlgorithm } from '../../algorithm.ts';
import type { ConvProblem, Direction } from '../../problem.ts';

/** The convolution as matrix products, one a group. */
function productSize(
  { N, C, H, W, K, R, S, P, Q, groups }: ConvProblem,
  direction: Direction,
  bias = false,
): ProductSize {
  const [c, k] = [C / groups, K / groups];
  switch (direction) {
    case 'fprop':
      return { M: k, N: N * P * Q, K: c * R * S, count: groups };
    case 'dgrad':
      return { M: c, N: N * H * W, K: k * R * S, count: groups };
    case 'wgrad':
      return { M: k, N: c * R * S + (bias ? 1 : 0), K: N * P * Q, count: groups, sliced: true };
  }
}

const implicitGemm: ConvAlgorithm = {
  name: 'implicit_gemm',
  summary: 'A matrix product whose second matrix is gathered from the image on the way, never stored.',

  unsupported: ({ groups }) =>
    groups > 65535
      ? `it computes the groups side by side, and the GPU allows 65535; there are ${groups}`
      : undefined,

  workspaceBytes({ device }, problem, direction) {
    if (direction !== 'wgrad') return 0;
    const size = productSize(problem, direction, true);
    const slices = chooseSlices(device, chooseTile(device, size), size);
    return sliceBytes(slices, (problem.K * problem.C * problem.R * problem.S) / problem.groups, problem.K);
  },

  fprop(plan, label, problem, { x, w, bias, y, relu = false }) {
    const size = productSize(problem, 'fprop');
    const tile = chooseTile(plan.device, size);
    const constants = { ...tile, ...problemConstants(problem), HAS_BIAS: bias !== undefined, RELU: relu };
    plan.dispatch({
      label,
      kernel: { shader: 'conv/implicit_gemm/fprop', constants },
      tensors: { x, w, bias: bias ?? w, y },
      uniforms: { N: problem.N },
      workgroups: tileGrid(tile, size),
    });
  },

  dgrad(plan, label, problem, { dy, w, dx, mask }) {
    const size = productSize(problem, 'dgrad');
    const tile = chooseTile(plan.device, size);
    const constants = { ...tile, ...problemConstants(problem), MASK: mask !== undefined };
    plan.dispatch({
      label,
      kernel: { shader: 'conv/implicit_gemm/dgrad', constants },
      tensors: { dy, w, x: mask ?? w, dx },
      uniforms: { N: problem.N },
      workgroups: tileGrid(tile, size),
    });
  },

  wgrad(plan, label, problem, { dy, x, dw, db }) {
    const size = productSize(problem, 'wgrad', db !== undefined);
    const tile = chooseTile(plan.device, size);
    const slices = Math.min(chooseSlices(plan.device, tile, size), Math.floor(65535 / problem.groups));
    const sliced = slicedGradients(plan, label, slices, dw, db);
    const constants = { ...tile, ...problemConstants(problem), HAS_BIAS: db !== undefined, SLICES: slices };
    plan.dispatch({
      label,
      kernel: { shader: 'conv/implicit_gemm/wgrad', constants },
      tensors: { dy, x, dw: sliced.dw, db: sliced.db },
      uniforms: { N: problem.N },
      workgroups: tileGrid(tile, { ...size, count: problem.groups * slices }),
    });
    sliced.finish();
  },
};

export default implicitGemm;
