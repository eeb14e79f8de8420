/**
 * Convolutions in NHWC as matrix multiplications whose rows are pixels, so that everything is loaded and stored as
 * vectors along channels. `implicit_gemm` uses this with gathered patches; `gemm_1x1` with images that already are the
 * matrix.
 */
import { wgslVectorType } from '../../../dispatch.ts';
import { sliceBytes, slicedGradients } from '../../../gemm/slices.ts';
import { GATHER_COST } from '../../../cost.ts';
import {
  chooseSlices,
  chooseTiles,
  productConstants,
  tileGrid,
  tileName,
  tileWork,
  type ProductSize,
  type Tile,
} from '../../../gemm/tiles.ts';
import { problemConstants, type ConvSetting, type Launch } from '../algorithm.ts';
import type { CorrelationLaunch } from '../algorithms/direct/correlation.ts';
import { flops, type ConvProblem } from '../problem.ts';

const isFours = (count: number): boolean => count % 4 === 0;

/** The product of one group. */
function correlationSize({ N, C, H, W, K, R, S, P, Q, groups }: ConvProblem, backward: boolean): ProductSize {
  const [c, k] = [C / groups, K / groups];
  return backward
    ? { M: N * H * W, N: c, K: k * R * S, count: groups }
    : { M: N * P * Q, N: k, K: c * R * S, count: groups, alongK: true };
}

/**
 * fprop, or dgrad if `backward`: image and result are x and y, or dy and dx.
 * @param pointwise for filters of 1x1 with stride 1 and without padding
 * @param tiles instead of those worth trying
 */
function correlations(
  setting: ConvSetting,
  backward: boolean,
  pointwise: boolean,
  tiles?: readonly Tile[],
): CorrelationLaunch[] {
  const { device, problem, number } = setting;
  const { N, C, K, groups } = problem;
  const size = correlationSize(problem, backward);
  const [inner, outer] = backward ? [K / groups, C / groups] : [C / groups, K / groups];
  return (tiles ?? chooseTiles(device, size, number)).map((tile) => ({
    name: tileName(tile),
    workspaceBytes: 0,
    add(plan, label, { x, w, y, bias, relu = false, mask }) {
      const vec4 = tile.STAGED && isFours(inner);
      const weightVec4 = tile.STAGED && isFours(C / groups);
      const storeVec4 = isFours(outer);
      plan.dispatch({
        label,
        kernel: {
          shader: 'conv/channels_last/correlate',
          constants: {
            ...productConstants(tile, size),
            ...problemConstants(setting),
            A_ALONG_K: true,
            B_ALONG_K: !backward,
            Row: 'vec4u',
            BACKWARD: backward,
            POINTWISE: pointwise,
            VEC4: vec4,
            WEIGHT_VEC4: weightVec4,
            STORE_VEC4: storeVec4,
            Pixels: wgslVectorType(number, vec4),
            Weights: wgslVectorType(number, weightVec4),
            Output: wgslVectorType(number, storeVec4),
            HAS_BIAS: bias !== undefined,
            RELU: relu,
            MASK: mask !== undefined,
          },
        },
        // Absent tensors need a binding too, which is not read.
        tensors: { image: x, w, bias: bias ?? w, mask: mask ?? w, result: y },
        uniforms: { N },
        workgroups: tileGrid(tile, size),
        flop: flops(problem),
        work: tileWork(tile, size.K, vec4 ? 0 : GATHER_COST),
      });
    },
  }));
}

export const fpropLaunches = (
  setting: ConvSetting,
  pointwise: boolean,
  tiles?: readonly Tile[],
): Launch<'fprop'>[] => correlations(setting, false, pointwise, tiles);

export const dgradLaunches = (
  setting: ConvSetting,
  pointwise: boolean,
  tiles?: readonly Tile[],
): Launch<'dgrad'>[] =>
  correlations(setting, true, pointwise, tiles).map(({ name, workspaceBytes, add }) => ({
    name,
    workspaceBytes,
    add: (plan, label, { dy, w, dx, mask }) =>
      add(plan, label, { x: dy, w, y: dx, ...(mask ? { mask } : {}) }),
  }));

function gradientSize({ N, C, K, R, S, P, Q, groups }: ConvProblem, bias: boolean): ProductSize {
  const columns = (C / groups) * R * S + (bias ? 1 : 0);
  return { M: K / groups, N: columns, K: N * P * Q, count: groups, sliced: true };
}

export function wgradLaunches(
  setting: ConvSetting,
  pointwise: boolean,
  tiles?: readonly Tile[],
): Launch<'wgrad'>[] {
  const { device, problem, number, workspace } = setting;
  const { N, C, K, R, S, groups } = problem;
  const weights = (K * C * R * S) / groups;
  // Always count the bias's column, so that layers with and without bias are cut alike.
  const cut = gradientSize(problem, true);
  const most = Math.min(65535 / groups, workspace / (4 * (weights + K)));
  return (tiles ?? chooseTiles(device, cut, number)).map((tile) => {
    const slices = Math.max(1, Math.floor(Math.min(chooseSlices(device, tile, cut), most)));
    return {
      name: `${tileName(tile)}, ${slices} slices`,
      workspaceBytes: sliceBytes(slices, weights, K),
      add(plan, label, { dy, x, dw, db }) {
        const size = gradientSize(problem, db !== undefined);
        const sliced = slicedGradients(plan, label, slices, dw, db);
        const vec4 = tile.STAGED && isFours(C / groups);
        const filterVec4 = tile.STAGED && isFours(K / groups);
        plan.dispatch({
          label,
          kernel: {
            shader: 'conv/channels_last/wgrad',
            constants: {
              ...productConstants(tile, size, slices),
              ...problemConstants(setting),
              A_ALONG_K: false,
              B_ALONG_K: false,
              HAS_BIAS: db !== undefined,
              POINTWISE: pointwise,
              SLICES: slices,
              VEC4: vec4,
              FILTER_VEC4: filterVec4,
              Pixels: wgslVectorType(number, vec4),
              Gradients: wgslVectorType(number, filterVec4),
            },
          },
          tensors: { dy, x, dw: sliced.dw, db: sliced.db },
          uniforms: { N },
          workgroups: tileGrid(tile, { ...size, count: groups * slices }),
          flop: flops(problem),
          work: tileWork(tile, size.K / slices, vec4 ? 0 : GATHER_COST),
        });
        sliced.finish();
      },
    };
  });
}
