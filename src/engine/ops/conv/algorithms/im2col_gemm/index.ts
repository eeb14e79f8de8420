import { distantSpread, SPREAD } from '../../../../cost.ts';
import { tensorBytes } from '../../../../dispatch.ts';
import { sliceBytes, slicedGradients } from '../../../../gemm/slices.ts';
import { chooseSlices, chooseTiles } from '../../../../gemm/choose-tile.ts';
import { tileName, type ProductSize, type Tile } from '../../../../gemm/tiles.ts';
import type { PlanBuilder, Tensor } from '../../../../plan.ts';
import { mebibytes } from '../../../../../gpu/ledger.ts';
import { problemConstants, type ConvAlgorithm, type ConvSetting, type Launch } from '../../algorithm.ts';
import { biasGradientBytes, planBiasGradient } from '../../bias_gradient.ts';
import { planPointwise, planPointwiseGradient } from '../../pointwise/index.ts';
import type { Direction } from '../../problem.ts';
import { gradientColumns, inputColumns, type Columns, type Piece } from './columns.ts';
import { launchFor, sizeName, whyNotSize } from './launch-size.ts';

/** What one thread of im2col writes; col2im's gathers for one element, or for all channels at one position. */
type Threads = 'per_position' | 'per_element';

/** In names. What has none is from before there was a choice. */
const IM2COL = { per_position: ['one thread per filter position'], per_element: ['one thread per element'] };
const COL2IM = { per_position: ['one thread per position'], per_element: [] };

/** A piece this large may stay in a GPU's cache until the product reads it. */
const CACHED_BYTES = 16 * 2 ** 20;

/** How a launch works. */
export interface Im2colWay {
  tile: Tile;
  threads: Threads;
  /** Bytes of columns per piece. */
  bytes: number;
}

const numberBytes = ({ number }: ConvSetting) => (number === 'f16' ? 2 : 4);

/** Values of dw. */
const weights = ({ problem: { K, C, R, S, groups } }: ConvSetting) => (K * C * R * S) / groups;

const nameOf = (setting: ConvSetting, { tile, threads, bytes }: Im2colWay, direction: Direction): string =>
  [
    ...(direction === 'dgrad' ? COL2IM : IM2COL)[threads],
    ...sizeName(setting),
    tileName(tile),
    ...(bytes < setting.workspace ? [`${mebibytes(bytes)} at a time`] : []),
  ].join(', ');

/** Adds the dispatch that makes a piece of x's columns: im2col. */
export function planColumns(
  plan: PlanBuilder,
  label: string,
  setting: ConvSetting,
  { threads }: Pick<Im2colWay, 'threads'>,
  piece: Piece,
  part: number,
  { x, columns }: { x: Tensor; columns: Tensor },
): void {
  const { C, R, S } = setting.problem;
  const rows = threads === 'per_element' ? C * R * S : C;
  const { constants, workgroups } = launchFor(setting, piece.images * rows * part);
  plan.dispatch({
    label: `${label} im2col`,
    kernel: {
      shader: `conv/im2col_gemm/${threads}`,
      constants: { ...problemConstants(setting), ...constants, PIXELS: part },
    },
    tensors: { x, columns },
    uniforms: {
      images: piece.images,
      first_image: piece.firstImage,
      pixels: piece.count,
      first_pixel: piece.first,
    },
    workgroups,
    bytes: tensorBytes(columns) + (tensorBytes(x) * piece.images) / setting.problem.N,
    ...(threads === 'per_element' ? { spread: SPREAD.divided } : {}),
  });
}

/** The columns of a way; they exist unless `unsupported` gives a reason. */
function requireColumns(columns: Columns | undefined): Columns {
  if (!columns) throw new Error('wgrad bug: columns that do not fit the workspace');
  return columns;
}

/** Adds the dispatch that gathers a piece of dx from its columns: col2im. */
export function planGradient(
  plan: PlanBuilder,
  label: string,
  setting: ConvSetting,
  { threads }: Pick<Im2colWay, 'threads'>,
  { firstImage, images, first, count }: Piece,
  { columns, dx, mask }: { columns: Tensor; dx: Tensor; mask: Tensor | undefined },
): void {
  const { N, H, W, groups, stride } = setting.problem;
  const planes = threads === 'per_element' ? groups * count : 1;
  const { constants, workgroups } = launchFor(setting, images * planes * H * W);
  plan.dispatch({
    label: `${label} col2im`,
    kernel: {
      shader: 'conv/im2col_gemm/col2im',
      constants: {
        ...problemConstants(setting),
        ...constants,
        CHANNELS: count,
        ALL_CHANNELS: threads === 'per_position',
        MASK: mask !== undefined,
      },
    },
    tensors: { columns, x: mask ?? columns, dx },
    uniforms: { images, first_image: firstImage, first_channel: first },
    workgroups,
    bytes: tensorBytes(columns) + (tensorBytes(dx) * images) / N,
    spread: Math.max(...stride) > 1 ? SPREAD.divided : distantSpread(tensorBytes(columns)),
  });
}

/** The common sizes of products with a piece of x's columns, in fprop and wgrad: x is the columns, y is in NCHW. */
function sizesOf({ problem: { C, K, R, S, P, Q, groups } }: ConvSetting, piece: Piece, part: number) {
  return {
    groups,
    inputs: (C / groups) * R * S,
    outputs: K / groups,
    pixels: part,
    columns: piece.images * piece.count,
    xPlane: part,
    yPlane: P * Q,
    yStart: piece.firstImage * K * P * Q + piece.first,
  };
}

/** fprop in the given way. */
export function fpropBy(setting: ConvSetting, way: Im2colWay): Launch<'fprop'> {
  const { problem, number } = setting;
  const { numbers, part, pieces } = requireColumns(inputColumns(setting, way.bytes));
  return {
    name: nameOf(setting, way, 'fprop'),
    workspaceBytes: numbers * numberBytes(setting),
    add(plan, label, { x, w, bias, y, relu }) {
      const columns = plan.tensor(`${label} columns`, [numbers], number);
      for (const piece of pieces) {
        planColumns(plan, label, setting, way, piece, part, { x, columns });
        const wRow = (problem.C / problem.groups) * problem.R * problem.S;
        planPointwise(plan, label, {
          ...sizesOf(setting, piece, part),
          tile: way.tile,
          number,
          x: columns,
          w,
          y,
          bias,
          relu,
          transposed: false,
          wRow,
        });
      }
    },
  };
}

/** dgrad in the given way. */
export function dgradBy(setting: ConvSetting, way: Im2colWay): Launch<'dgrad'> {
  const { problem, number } = setting;
  const { C, K, R, S, P, Q, groups } = problem;
  const { numbers, part, pieces } = requireColumns(gradientColumns(setting, way.bytes));
  return {
    name: nameOf(setting, way, 'dgrad'),
    workspaceBytes: numbers * 4,
    add(plan, label, { dy, w, dx, mask }) {
      const columns = plan.tensor(`${label} columns`, [numbers]);
      for (const piece of pieces) {
        const { firstImage, images, first } = piece;
        planPointwise(plan, label, {
          tile: way.tile,
          number,
          groups,
          inputs: K / groups,
          outputs: part * R * S,
          pixels: P * Q,
          columns: images * P * Q,
          xPlane: P * Q,
          yPlane: P * Q,
          x: dy,
          xStart: firstImage * K * P * Q,
          y: columns,
          w,
          transposed: true,
          wRow: (C / groups) * R * S,
          wStart: first * R * S,
        });
        planGradient(plan, label, setting, way, piece, { columns, dx, mask });
      }
    },
  };
}

/** The weight gradient as a matrix multiplication over `pixels` of a piece. */
function gradientSize({ problem: { C, K, R, S, groups } }: ConvSetting, pixels: number): ProductSize {
  return { M: K / groups, N: (C / groups) * R * S, K: pixels, count: groups, alongK: true, sliced: true };
}

const largestPiece = ({ pieces: [{ images, count }] }: Columns): number => images * count;

/** Columns and slices that fit the workspace together; undefined if none do. */
function cutGradient(
  setting: ConvSetting,
  { tile, bytes }: Im2colWay,
): { columns: Columns; slices: number } | undefined {
  const { device, problem, workspace } = setting;
  const all = inputColumns(setting, Math.min(bytes, workspace));
  if (!all) return undefined;
  const wanted = chooseSlices(device, tile, gradientSize(setting, largestPiece(all)));
  // Slices get at most half of the workspace: without columns there is nothing to sum.
  const affordable = Math.floor(workspace / 2 / sliceBytes(2, weights(setting), 0)) * 2;
  const slices = Math.max(1, Math.min(wanted, affordable, Math.floor(65535 / problem.groups)));
  const left = workspace - sliceBytes(slices, weights(setting), 0);
  const columns = inputColumns(setting, Math.min(bytes, left));
  return columns && { columns, slices };
}

/** wgrad in the given way. */
export function wgradBy(setting: ConvSetting, way: Im2colWay): Launch<'wgrad'> {
  const { number } = setting;
  const cut = cutGradient(setting, way);
  const { numbers, part, pieces } = requireColumns(cut?.columns);
  const slices = cut?.slices ?? 1;
  const product = numbers * numberBytes(setting) + sliceBytes(slices, weights(setting), 0);
  return {
    name: `${nameOf(setting, way, 'wgrad')}, ${slices} slices`,
    workspaceBytes: Math.max(product, biasGradientBytes(setting)),
    add(plan, label, { dy, x, dw, db }) {
      const columns = plan.tensor(`${label} columns`, [numbers], number);
      const sliced = slicedGradients(plan, label, slices, dw, undefined);
      pieces.forEach((piece, i) => {
        planColumns(plan, label, setting, way, piece, part, { x, columns });
        planPointwiseGradient(plan, label, {
          ...sizesOf(setting, piece, part),
          tile: way.tile,
          slices,
          number,
          dy,
          x: columns,
          dw: sliced.dw,
          add: i > 0,
        });
      });
      sliced.finish();
      if (db) planBiasGradient(plan, `${label} bias`, setting, dy, db);
    },
  };
}

/** Every tile once; the first tile also with the other kind of threads and with pieces that fit a cache. */
function waysOf(
  setting: ConvSetting,
  size: ProductSize,
  columns: Columns,
  direction: Direction,
): Im2colWay[] {
  const { device, workspace, number } = setting;
  const [first, ...others] = chooseTiles(device, size, number);
  const [threads, other]: Threads[] =
    direction === 'dgrad' ? ['per_element', 'per_position'] : ['per_position', 'per_element'];
  const best: Im2colWay = { tile: first, threads, bytes: workspace };
  const cached = { ...best, bytes: CACHED_BYTES };
  const bytes = columns.numbers * columns.pieces.length * numberBytes(setting);
  const tryCached =
    !device.onProcessor &&
    bytes > CACHED_BYTES &&
    CACHED_BYTES < workspace &&
    (direction === 'dgrad' ? gradientColumns(setting, CACHED_BYTES) : inputColumns(setting, CACHED_BYTES));
  return [
    best,
    { ...best, threads: other },
    ...(tryCached ? [cached] : []),
    ...others.map((tile) => ({ ...best, tile })),
  ];
}

const im2colGemm: ConvAlgorithm = {
  name: 'im2col_gemm',
  summary: 'Unrolls input patches into matrix columns (im2col), then runs one matrix multiplication.',
  exact: true,
  layouts: ['nchw'],
  resizable: true,

  unsupported(setting, direction) {
    const { problem, workspace } = setting;
    if (problem.groups > 65535) {
      return `it supports at most 65535 groups, got ${problem.groups}`;
    }
    const wrongSize = whyNotSize(setting);
    if (wrongSize !== undefined) return wrongSize;
    const fits =
      direction === 'dgrad'
        ? gradientColumns(setting, workspace)
        : direction === 'fprop'
          ? inputColumns(setting, workspace)
          : wgradWays(setting).length > 0;
    if (fits) return undefined;
    const { N, C, R, S, P, Q } = problem;
    return (
      `its columns, ${mebibytes(N * C * R * S * P * Q * numberBytes(setting))} in all, ` +
      `cannot be split to fit a workspace of ${mebibytes(workspace)}`
    );
  },

  fprop(setting) {
    const columns = requireColumns(inputColumns(setting, setting.workspace));
    const { C, K, R, S, groups } = setting.problem;
    const size = { M: K / groups, N: largestPiece(columns), K: (C / groups) * R * S, count: groups };
    return waysOf(setting, size, columns, 'fprop').map((way) => fpropBy(setting, way));
  },

  dgrad(setting) {
    const columns = requireColumns(gradientColumns(setting, setting.workspace));
    const { K, R, S, P, Q, groups } = setting.problem;
    const pixels = columns.pieces[0].images * P * Q;
    const size = { M: columns.part * R * S, N: pixels, K: K / groups, count: groups };
    return waysOf(setting, size, columns, 'dgrad').map((way) => dgradBy(setting, way));
  },

  wgrad: (setting) => wgradWays(setting).map((way) => wgradBy(setting, way)),
};

function wgradWays(setting: ConvSetting): Im2colWay[] {
  const columns = inputColumns(setting, setting.workspace);
  if (!columns) return [];
  const ways = waysOf(setting, gradientSize(setting, largestPiece(columns)), columns, 'wgrad');
  return ways.filter((way) => cutGradient(setting, way) !== undefined);
}

export default im2colGemm;
