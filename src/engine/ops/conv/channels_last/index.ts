/**
 * Convolutions in NHWC as matrix multiplications whose rows are pixels, so that everything is loaded and stored as
 * vectors along channels. `implicit_gemm` uses this with gathered patches; `gemm_1x1` with images that already are the
 * matrix.
 */
import { wgslVectorType } from '../../../dispatch.ts';
import { sliceBytes, slicedGradients } from '../../../gemm/slices.ts';
import { GATHER_COST } from '../../../cost.ts';
import { chooseSlices, chooseTiles } from '../../../gemm/choose-tile.ts';
import { canBeWide, productConstants } from '../../../gemm/tile-constants.ts';
import { tileWork } from '../../../gemm/tile-time.ts';
import { tileGrid, tileName, type ProductSize, type Tile } from '../../../gemm/tiles.ts';
import { problemConstants, type ConvSetting, type Launch } from '../algorithm.ts';
import type { CorrelationLaunch } from '../algorithms/direct/correlation.ts';
import { phaseTable } from '../algorithms/implicit_gemm/strided.ts';
import { flops, type ConvProblem } from '../problem.ts';

const isFours = (count: number): boolean => count % 4 === 0;

/** Whether values come in eights, which tensor cores can take together. */
const hasEights = ({ problem: { C, K, groups }, number }: ConvSetting): boolean =>
  number === 'f16' && [C, K].every((channels) => (channels / groups) % 8 === 0);

/** Whether a tile's values are copied by eights: see shaders/gemm/tile.wgsl. */
const isWide = (setting: ConvSetting, tile: Tile): boolean => hasEights(setting) && canBeWide(tile);

/** The cost of a value of x that wgrad copies by eights, each from another pixel. */
const EIGHTS_COST = 1.3;

/** The product of one group. */
function correlationSize(
  { N, C, H, W, K, R, S, P, Q, stride, groups }: ConvProblem,
  backward: boolean,
): ProductSize {
  const [c, k] = [C / groups, K / groups];
  // With a stride, all phases as if they were as large as the largest, with the mean of their sums' terms.
  const phases = stride[0] * stride[1];
  const pixels = Math.ceil(H / stride[0]) * Math.ceil(W / stride[1]);
  return backward
    ? { M: N * pixels, N: c, K: Math.ceil((k * R * S) / phases), count: groups * phases }
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
  const { N, C, K, groups, stride } = problem;
  const size = { ...correlationSize(problem, backward), wide: hasEights(setting) };
  const phased = backward && Math.max(...stride) > 1;
  const [inner, outer] = backward ? [K / groups, C / groups] : [C / groups, K / groups];
  return (tiles ?? chooseTiles(device, size, number)).map((tile) => ({
    name: tileName(tile),
    workspaceBytes: 0,
    add(plan, label, { x, w, y, bias, relu = false, mask, addend }) {
      const wide = isWide(setting, tile);
      const vec4 = tile.STAGED && isFours(inner);
      const weightVec4 = tile.STAGED && isFours(C / groups);
      const storeVec4 = isFours(outer);
      plan.dispatch({
        label,
        kernel: {
          shader: 'conv/channels_last/correlate',
          constants: {
            ...productConstants(tile, size, 1, wide),
            ...problemConstants(setting),
            // Phases differ in size, but a position of the filter is as many terms as dy has channels.
            ...(phased ? { MASKED: inner % tile.BK !== 0 } : {}),
            A_ALONG_K: true,
            B_ALONG_K: !backward,
            Row: 'vec4u',
            BACKWARD: backward,
            PHASED: phased,
            POINTWISE: pointwise,
            VEC4: vec4,
            WEIGHT_VEC4: weightVec4,
            STORE_VEC4: storeVec4,
            Pixels: wide ? 'vec4u' : wgslVectorType(number, vec4),
            Weights: wide ? 'vec4u' : wgslVectorType(number, weightVec4),
            Output: wgslVectorType(number, storeVec4),
            HAS_BIAS: bias !== undefined,
            RELU: relu,
            ADDED: addend !== undefined,
            MASK: mask !== undefined,
          },
        },
        // Absent tensors need a binding too, which is not read.
        tensors: {
          image: x,
          w,
          bias: bias ?? w,
          mask: mask ?? w,
          addend: addend ?? w,
          result: y,
          phases: phased ? plan.constant('phases', phaseTable(problem, 1)) : w,
        },
        uniforms: { N },
        workgroups: tileGrid(tile, size),
        flop: flops(problem),
        work: tileWork(tile, size.K, { wide, gather: vec4 ? 0 : GATHER_COST }),
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
    adds: true,
    add: (plan, label, { dy, w, dx, mask, addend }) => add(plan, label, { x: dy, w, y: dx, mask, addend }),
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
  const eights = hasEights(setting);
  // Always count the bias's column, so that layers with and without bias are cut alike.
  const cut = { ...gradientSize(problem, true), wide: eights, gather: eights ? EIGHTS_COST : 0 };
  const most = Math.min(65535 / groups, workspace / (4 * (weights + K)));
  return (tiles ?? chooseTiles(device, cut, number)).map((tile) => {
    const slices = Math.max(1, Math.floor(Math.min(chooseSlices(device, tile, cut), most)));
    return {
      name: `${tileName(tile)}, ${slices} slices`,
      workspaceBytes: sliceBytes(slices, weights, K),
      ordersWeights: true,
      add(plan, label, { dy, x, dw, db, parameterOrder = false }) {
        const size = gradientSize(problem, db !== undefined);
        const order = parameterOrder ? { channels: C / groups, positions: R * S } : undefined;
        const sliced = slicedGradients(plan, label, slices, dw, db, order);
        const wide = isWide(setting, tile);
        const vec4 = tile.STAGED && isFours(C / groups);
        const filterVec4 = tile.STAGED && isFours(K / groups);
        plan.dispatch({
          label,
          kernel: {
            shader: 'conv/channels_last/wgrad',
            constants: {
              ...productConstants(tile, size, slices, wide),
              ...problemConstants(setting),
              A_ALONG_K: false,
              B_ALONG_K: false,
              HAS_BIAS: db !== undefined,
              POINTWISE: pointwise,
              SLICES: slices,
              PYTORCHS_ORDER: parameterOrder && slices === 1,
              VEC4: vec4,
              FILTER_VEC4: filterVec4,
              Pixels: wide ? 'vec4u' : wgslVectorType(number, vec4),
              Gradients: wide ? 'vec4u' : wgslVectorType(number, filterVec4),
            },
          },
          tensors: { dy, x, dw: sliced.dw, db: sliced.db },
          uniforms: { N },
          workgroups: tileGrid(tile, { ...size, count: groups * slices }),
          flop: flops(problem),
          work: tileWork(tile, size.K / slices, {
            wide,
            gather: wide ? EIGHTS_COST : vec4 ? 0 : GATHER_COST,
          }),
        });
        sliced.finish();
      },
    };
  });
}
