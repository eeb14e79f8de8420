import { sliceBytes, slicedGradients } from '../../../../gemm/slices.ts';
import { chooseSlices, chooseTiles, tileGrid, tileName, type ProductSize } from '../../../../gemm/tiles.ts';
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
  tolerance: 2e-6,
  exact: true,

  unsupported: ({ problem: { groups } }) =>
    groups > 65535
      ? `it computes the groups side by side, and the GPU allows 65535; there are ${groups}`
      : undefined,

  fprop(setting) {
    const { device, problem } = setting;
    const size = productSize(problem, 'fprop');
    return chooseTiles(device, size).map((tile) => ({
      name: tileName(tile),
      workspaceBytes: 0,
      add(plan, label, { x, w, bias, y, relu = false }) {
        const constants = { ...tile, ...problemConstants(setting), HAS_BIAS: bias !== undefined, RELU: relu };
        plan.dispatch({
          label,
          kernel: { shader: 'conv/implicit_gemm/fprop', constants },
          tensors: { x, w, bias: bias ?? w, y },
          uniforms: { N: problem.N },
          workgroups: tileGrid(tile, size),
        });
      },
    }));
  },

  dgrad(setting) {
    const { device, problem } = setting;
    const size = productSize(problem, 'dgrad');
    return chooseTiles(device, size).map((tile) => ({
      name: tileName(tile),
      workspaceBytes: 0,
      add(plan, label, { dy, w, dx, mask }) {
        const constants = { ...tile, ...problemConstants(setting), MASK: mask !== undefined };
        plan.dispatch({
          label,
          kernel: { shader: 'conv/implicit_gemm/dgrad', constants },
          tensors: { dy, w, x: mask ?? w, dx },
          uniforms: { N: problem.N },
          workgroups: tileGrid(tile, size),
        });
      },
    }));
  },

  wgrad(setting) {
    const { device, problem } = setting;
    const { K, C, R, S, groups } = problem;
    // The bias's column is counted in any case, so that a layer with and without bias is cut alike.
    const size = productSize(problem, 'wgrad', true);
    return chooseTiles(device, size).map((tile) => {
      const slices = Math.min(chooseSlices(device, tile, size), Math.floor(65535 / groups));
      return {
        name: `${tileName(tile)}, ${slices} slices`,
        workspaceBytes: sliceBytes(slices, (K * C * R * S) / groups, K),
        add(plan, label, { dy, x, dw, db }) {
          const sliced = slicedGradients(plan, label, slices, dw, db);
          const constants = {
            ...{ ...tile, ...problemConstants(setting) },
            ...{ HAS_BIAS: db !== undefined, SLICES: slices },
          };
          plan.dispatch({
            label,
            kernel: { shader: 'conv/implicit_gemm/wgrad', constants },
            tensors: { dy, x, dw: sliced.dw, db: sliced.db },
            uniforms: { N: problem.N },
            workgroups: tileGrid(tile, {
              ...productSize(problem, 'wgrad', db !== undefined),
              count: groups * slices,
            }),
          });
          sliced.finish();
        },
      };
    });
  },
};

export default implicitGemm;
