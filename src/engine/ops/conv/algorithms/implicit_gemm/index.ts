import type { Constants } from '../../../../../gpu/link.ts';
import { sliceBytes, slicedGradients } from '../../../../gemm/slices.ts';
import { chooseSlices, chooseTiles } from '../../../../gemm/choose-tile.ts';
import { productConstants } from '../../../../gemm/tile-constants.ts';
import { tileWork } from '../../../../gemm/tile-time.ts';
import { tileGrid, tileName, type ProductSize, type Tile } from '../../../../gemm/tiles.ts';
import { wgslVectorType } from '../../../../dispatch.ts';
import { GATHER_COST, loadingWork, TABLE_COST } from '../../../../cost.ts';
import { grid, type NumberType, type PlanBuilder, type Tensor } from '../../../../plan.ts';
import { problemConstants, type ConvAlgorithm, type ConvSetting, type Launch } from '../../algorithm.ts';
import * as channelsLast from '../../channels_last/index.ts';
import { LAYOUTS } from '../../layout.ts';
import { flops, type ConvProblem, type Direction } from '../../problem.ts';
import { stridedDgrad } from './strided.ts';
import { inSlices, nameOf, waysOf, withTables, type GemmWay } from './ways.ts';

/** The convolution as matrix multiplications, one per group. */
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

/**
 * Filter positions, four words each, for shaders/conv/implicit_gemm/gather.wgsl.
 * @param width of the image that is gathered from
 * @param way 1 below and right of a window's start, -1 above and left
 */
function positions(
  { R, S, dilation }: ConvProblem,
  channels: number,
  plane: number,
  width: number,
  way: 1 | -1,
): Uint32Array<ArrayBuffer> {
  const table = new Uint32Array(channels * R * S * 4);
  for (let k = 0; k < channels * R * S; k++) {
    const c = Math.floor(k / (R * S));
    const down = way * (Math.floor(k / S) % R) * dilation[0];
    const right = way * (k % S) * dilation[1];
    table.set([c * plane + down * width + right, down, right], k * 4);
  }
  return table;
}

/** Four adjacent pixels belong to one image if an image's pixels are a multiple of four. */
const storedBy = (number: NumberType, pixels: number): Constants => ({
  VEC4: pixels % 4 === 0,
  Pixels: wgslVectorType(number, pixels % 4 === 0),
});

/** How the image is loaded: as vectors where four adjacent pixels always meet four values side by side, and aligned. */
function loadedBy({ problem, number }: ConvSetting, { STAGED }: Tile): Constants {
  const { S, W, Q, stride, padding, dilation } = problem;
  const aligned = [W, Q, padding.left, S === 1 ? 0 : dilation[1]].every((one) => one % 4 === 0);
  const ALIGNED = STAGED && aligned && stride[1] === 1;
  return { ALIGNED, Image: wgslVectorType(number, ALIGNED) };
}

/** Bytes of a table of so many positions. */
const tableBytes = (count: number): number => 16 * count;

const tableTensor = (
  plan: PlanBuilder,
  tabled: boolean,
  table: () => Uint32Array<ArrayBuffer>,
): Readonly<Record<string, Tensor>> =>
  tabled ? { positions: plan.constant('filter positions', table()) } : {};

/** Filters whose weights are in workgroup memory together, and threads per workgroup, four pixels each. */
const fewSizes = (filters: number) => ({ FILTERS: filters <= 8 ? 8 : 16, THREADS: 64 });

/** What a pixel costs, gathered from the image, in reads; with a stride, neighbouring threads share fewer of them. */
const PIXEL_READS = 1.5;

/** The launch for short sums; none if a block of filters does not fit into workgroup memory. */
function fewChannels(setting: ConvSetting): Launch<'fprop'>[] {
  const { device, problem } = setting;
  const { N, K, C, R, S, P, Q, groups } = problem;
  // Workgroups with few pixels, and a barrier: the worst case for software adapters.
  if (device.onProcessor) return [];
  const few = fewSizes(K / groups);
  const terms = (C / groups) * R * S;
  const bytes = few.FILTERS * terms * 4;
  if (bytes > Math.min(16384, device.limit('maxComputeWorkgroupStorageSize'))) return [];
  return [
    {
      name: 'few channels',
      workspaceBytes: 0,
      add(plan, label, { x, w, bias, y, relu = false }) {
        const blocks = Math.ceil(K / groups / few.FILTERS);
        const [columns, rows] = grid(Math.ceil((N * P * Q) / (4 * few.THREADS)) * blocks, 1);
        const constants = {
          ...few,
          ...problemConstants(setting),
          ...storedBy(setting.number, P * Q),
          Image: setting.number,
          Weights: setting.number,
          HAS_BIAS: bias !== undefined,
          RELU: relu,
        };
        plan.dispatch({
          label,
          kernel: { shader: 'conv/implicit_gemm/few_channels', constants },
          tensors: { image: x, w, bias: bias ?? w, y },
          uniforms: { N },
          workgroups: [columns, rows, groups],
          flop: flops(problem),
          work: loadingWork(
            few.THREADS,
            4 * few.FILTERS,
            terms,
            4 * PIXEL_READS * problem.stride[1] + few.FILTERS / 4,
          ),
        });
      },
    },
  ];
}

export function fpropBy(setting: ConvSetting, way: GemmWay): Launch<'fprop'> {
  const { problem } = setting;
  const { N, C, H, W, K, P, Q, groups } = problem;
  const size = productSize(problem, 'fprop');
  const table = () => positions(problem, C / groups, H * W, W, 1);
  const { tile, slices, tabled = false } = way;
  return {
    name: nameOf(way),
    workspaceBytes: (tabled ? tableBytes(size.K) : 0) + sliceBytes(slices, N * K * P * Q, 0),
    add(plan, label, { x, w, bias, y, relu = false }) {
      const { target, finish, addUp } = inSlices(plan, label, slices, y, { bias, relu });
      const weightVec4 = tile.STAGED && size.K % 4 === 0;
      const constants = {
        ...productConstants(tile, size, slices),
        ...problemConstants(setting),
        ...loadedBy(setting, tile),
        ...storedBy(target.type, P * Q),
        WEIGHT_VEC4: weightVec4,
        Weights: wgslVectorType(setting.number, weightVec4),
        SLICES: slices,
        HAS_BIAS: finish.bias !== undefined,
        RELU: finish.relu ?? false,
      };
      plan.dispatch({
        label,
        kernel: { shader: `conv/implicit_gemm/fprop:position${tabled ? '_table' : ''}`, constants },
        tensors: { image: x, w, bias: finish.bias ?? w, y: target, ...tableTensor(plan, tabled, table) },
        uniforms: { N },
        workgroups: tileGrid(tile, { ...size, count: groups * slices }),
        flop: flops(problem),
        work: tileWork(tile, size.K / slices, { gather: tabled ? TABLE_COST : GATHER_COST }),
      });
      addUp();
    },
  };
}

function denseDgrad(setting: ConvSetting): Launch<'dgrad'>[] {
  const { problem } = setting;
  const { N, C, H, W } = problem;
  const size = productSize(problem, 'dgrad');
  const ways = withTables(setting, waysOf(setting, size, N * C * H * W), tableBytes(size.K));
  return ways.map((way) => dgradBy(setting, way));
}

/** For stride 1. */
export function dgradBy(setting: ConvSetting, way: GemmWay): Launch<'dgrad'> {
  const { problem } = setting;
  const { N, C, K, H, W, P, Q, groups } = problem;
  const size = productSize(problem, 'dgrad');
  const table = () => positions(problem, K / groups, P * Q, Q, -1);
  const { tile, slices, tabled = false } = way;
  return {
    name: nameOf(way),
    workspaceBytes: (tabled ? tableBytes(size.K) : 0) + sliceBytes(slices, N * C * H * W, 0),
    add(plan, label, { dy, w, dx, mask }) {
      const { target, finish, addUp } = inSlices(plan, label, slices, dx, { mask });
      const constants = {
        ...productConstants(tile, size, slices),
        ...problemConstants(setting),
        ...loadedBy(setting, tile),
        ...storedBy(target.type, H * W),
        SLICES: slices,
        MASK: finish.mask !== undefined,
      };
      plan.dispatch({
        label,
        kernel: { shader: `conv/implicit_gemm/dgrad:position${tabled ? '_table' : ''}`, constants },
        tensors: { image: dy, w, x: finish.mask ?? w, dx: target, ...tableTensor(plan, tabled, table) },
        uniforms: { N },
        workgroups: tileGrid(tile, { ...size, count: groups * slices }),
        flop: flops(problem),
        work: tileWork(tile, size.K / slices, { gather: tabled ? TABLE_COST : GATHER_COST }),
      });
      addUp();
    },
  };
}

export function wgradBy(setting: ConvSetting, { tile, slices }: GemmWay): Launch<'wgrad'> {
  const { problem, number } = setting;
  const { N, K, C, R, S, P, Q, groups } = problem;
  return {
    name: `${tileName(tile)}, ${slices} slices`,
    workspaceBytes: sliceBytes(slices, (K * C * R * S) / groups, K),
    add(plan, label, { dy, x, dw, db }) {
      const size = productSize(problem, 'wgrad', db !== undefined);
      const vec4 = tile.STAGED && (P * Q) % 4 === 0;
      const sliced = slicedGradients(plan, label, slices, dw, db);
      const constants = {
        ...productConstants(tile, size, slices),
        ...problemConstants(setting),
        ...loadedBy(setting, tile),
        ONES: db !== undefined,
        SLICES: slices,
        B_ALONG_K: true,
        VEC4: vec4,
        ROW_VEC4: Q % 4 === 0,
        Piece: wgslVectorType(number, vec4),
      };
      plan.dispatch({
        label,
        kernel: { shader: 'conv/implicit_gemm/wgrad', constants },
        tensors: { image: x, dy, dw: sliced.dw, db: sliced.db },
        uniforms: { N },
        workgroups: tileGrid(tile, { ...size, count: groups * slices }),
        flop: flops(problem),
        work: tileWork(tile, size.K / slices, { gather: GATHER_COST }),
      });
      sliced.finish();
    },
  };
}

/** For sums this short, whole filters in workgroup memory are the better guess. */
const FEW_TERMS = 32;

const implicitGemm: ConvAlgorithm = {
  name: 'implicit_gemm',
  summary: 'Matrix multiplication that gathers input patches on the fly instead of storing them.',
  exact: true,
  layouts: LAYOUTS,

  unsupported({ problem: { groups, stride } }, direction) {
    const products = direction === 'dgrad' ? groups * stride[0] * stride[1] : groups;
    return products > 65535 ? `it supports at most 65535 products per dispatch, got ${products}` : undefined;
  },

  fprop(setting) {
    const { problem } = setting;
    if (problem.layout === 'nhwc') return channelsLast.fpropLaunches(setting, false);
    const { N, K, P, Q } = problem;
    const size = productSize(problem, 'fprop');
    const ways = withTables(setting, waysOf(setting, size, N * K * P * Q), tableBytes(size.K));
    const launches = ways.map((way) => fpropBy(setting, way));
    const few = fewChannels(setting);
    return size.K <= FEW_TERMS ? [...few, ...launches] : [...launches, ...few];
  },

  dgrad(setting) {
    const { layout, stride } = setting.problem;
    if (layout === 'nhwc') return channelsLast.dgradLaunches(setting, false);
    return Math.max(...stride) > 1 ? stridedDgrad(setting) : denseDgrad(setting);
  },

  wgrad(setting) {
    const { device, problem, number, workspace } = setting;
    if (problem.layout === 'nhwc') return channelsLast.wgradLaunches(setting, false);
    const { C, K, R, S, groups } = problem;
    // Always count the bias's column, so that layers with and without bias are cut alike.
    const cut = productSize(problem, 'wgrad', true);
    const most = Math.min(65535 / groups, workspace / (4 * ((K * C * R * S) / groups + K)));
    return chooseTiles(device, cut, number).map((tile) => {
      const slices = Math.max(1, Math.floor(Math.min(chooseSlices(device, tile, cut), most)));
      return wgradBy(setting, { tile, slices });
    });
  },
};

export default implicitGemm;
