/** wgrad as F(R x R, M x M): tiles of dy act as filters, and products at every position are summed over all tiles. */
import { SPREAD } from '../../../../cost.ts';
import { tensorBytes } from '../../../../dispatch.ts';
import { planProducts, planSummedProducts } from '../../../../gemm/products.ts';
import { sliceBytes } from '../../../../gemm/slices.ts';
import { chooseSlices, chooseTiles, tileName, type Tile } from '../../../../gemm/tiles.ts';
import type { PlanBuilder } from '../../../../plan.ts';
import type { ConvSetting, Launch, WgradTensors } from '../../algorithm.ts';
import { biasGradientBytes, planBiasGradient } from '../../bias_gradient.ts';
import { CACHE_BYTES, CACHED_TRIED, chunks, mostImages, TILES_TRIED, wholeTiles } from './chunks.ts';
import type { Variant } from './cook_toom.ts';
import {
  gradientNumbers,
  forwardCorrelation,
  imageNumbers,
  MAX_TILES,
  positions,
  threadsOver,
  threadsOverTiles,
  tilesAn,
  winogradShader,
} from './shape.ts';

/** How to compute a weight gradient. */
interface Way {
  readonly name: string;
  readonly bytes: number;
  readonly images: number;
  readonly tile: Tile;
  readonly slices: number;
}

/** The most tiles in a running sum if slices cost almost nothing: short sums are more accurate. */
const SHORT_SUM = 64;
const CHEAP_BYTES = 4 * 2 ** 20;
/** Slices that one thread may add. */
const FEW_SLICES = 8;

/** Bytes of workspace for `images` at a time and `slices` of their sums. */
function bytesOf(variant: Variant, setting: ConvSetting, images: number, slices: number): number {
  const { C, K } = setting.problem;
  const correlation = forwardCorrelation(variant, setting.problem);
  const sums = gradientNumbers(variant, setting.problem);
  const slicedSums = slices <= FEW_SLICES ? 4 * slices * sums : 4 * sums + sliceBytes(slices, sums, 0);
  const imagesAndGradients =
    imageNumbers(variant, correlation, C, images) + imageNumbers(variant, correlation, K, images);
  return 4 * imagesAndGradients + slicedSums + biasGradientBytes(setting);
}

function fits(variant: Variant, setting: ConvSetting, images: number, slices: number): boolean {
  const { C, K } = setting.problem;
  const correlation = forwardCorrelation(variant, setting.problem);
  const largest = Math.max(
    slices * gradientNumbers(variant, setting.problem),
    imageNumbers(variant, correlation, Math.max(C, K), images),
  );
  return (
    images * tilesAn(correlation) <= MAX_TILES &&
    bytesOf(variant, setting, images, slices) <= setting.workspace &&
    4 * largest <= setting.device.limit('maxStorageBufferBindingSize')
  );
}

/** The least workspace of a weight gradient: one image at a time. */
export const leastWgradBytes = (variant: Variant, setting: ConvSetting): number =>
  bytesOf(variant, setting, 1, 1);

/** True if at least one image at a time fits. */
export const wgradFits = (variant: Variant, setting: ConvSetting): boolean => fits(variant, setting, 1, 1);

/** The products for `images` at a time, each a sum over tiles. */
function productSize(variant: Variant, { problem }: ConvSetting, images: number) {
  const { C, K, groups } = problem;
  return {
    M: K / groups,
    N: C / groups,
    K: images * tilesAn(forwardCorrelation(variant, problem)),
    count: positions(variant) * groups,
    alongK: problem.layout === 'nchw',
    sliced: true,
  };
}

/** Slices with a quarter as many values as the products read. */
const worthwhile = ({ M, N, K }: { M: number; N: number; K: number }): number =>
  Math.floor(((M + N) * K) / (4 * M * N));

/** The slices for a chunk: for speed, for accuracy, or as many as fit. */
function slicesFor(variant: Variant, setting: ConvSetting, images: number, tile: Tile): number | undefined {
  const size = productSize(variant, setting, images);
  const length = size.K / tile.WK;
  const accurate = Math.ceil(length / variant.longestSum);
  const cheap = Math.floor(CHEAP_BYTES / (4 * gradientNumbers(variant, setting.problem)));
  const wanted = Math.max(
    accurate,
    Math.min(cheap, Math.ceil(length / SHORT_SUM)),
    Math.min(chooseSlices(setting.device, tile, size), worthwhile(size)),
  );
  const slices = Math.min(wanted, Math.floor(65535 / size.count));
  // Each chunk is a sum by itself: if slices do not fit, use fewer images at a time.
  const least = images === 1 ? 1 : Math.min(accurate, slices);
  for (let count = slices; count >= least; count--) {
    if (fits(variant, setting, images, count)) return count;
  }
  return undefined;
}

function waysOf(variant: Variant, setting: ConvSetting): Way[] {
  const { device, problem } = setting;
  const { N, C, K } = problem;
  const correlation = forwardCorrelation(variant, problem);
  const whole = wholeTiles(tilesAn(correlation));
  /** With as many images at a time as fit and `allows` accepts. */
  const way = (tile: Tile, allows: (images: number) => boolean): Way | undefined => {
    const slicesOf = (images: number) =>
      allows(images) ? slicesFor(variant, setting, images, tile) : undefined;
    const images = mostImages(N, (some) => slicesOf(some) !== undefined, whole);
    const slices = images && slicesOf(images);
    if (images === undefined || slices === undefined) return undefined;
    const parts = [
      ...(slices > 1 ? [`${slices} slices`] : []),
      ...(images < N ? [`${images} images at a time`] : []),
    ];
    return {
      name: ['non-fused', tileName(tile), ...parts].join(', '),
      bytes: bytesOf(variant, setting, images, slices),
      images,
      tile,
      slices,
    };
  };
  const tiles = chooseTiles(device, productSize(variant, setting, N), 'f32').slice(0, TILES_TRIED);
  const cached = (images: number) =>
    4 * (imageNumbers(variant, correlation, C, images) + imageNumbers(variant, correlation, K, images)) <=
    CACHE_BYTES;
  const ways = [
    ...tiles.map((tile) => way(tile, () => true)),
    ...(device.onProcessor ? [] : tiles.slice(0, CACHED_TRIED).map((tile) => way(tile, cached))),
  ].filter((one) => one !== undefined);
  return ways.filter((one, i) => ways.findIndex(({ name }) => name === one.name) === i);
}

export const wgradLaunches = (variant: Variant, setting: ConvSetting): Launch<'wgrad'>[] =>
  waysOf(variant, setting).map((way) => ({
    name: way.name,
    workspaceBytes: way.bytes,
    add: (plan, label, tensors) => planWgrad(plan, label, variant, setting, way, tensors),
  }));

function planWgrad(
  plan: PlanBuilder,
  label: string,
  variant: Variant,
  setting: ConvSetting,
  { images: most, tile, slices }: Way,
  { dy, x, dw, db }: WgradTensors,
): void {
  const { problem, number } = setting;
  const { N, C, K, groups } = problem;
  const correlation = forwardCorrelation(variant, problem);
  const { image, result, tiles, start } = correlation;
  const alongTiles = problem.layout === 'nchw';
  const common = { Number: number, TILES_V: tiles[0], TILES_H: tiles[1], NHWC: problem.layout === 'nhwc' };
  const v = plan.tensor(`${label} inputs`, [imageNumbers(variant, correlation, C, most)]);
  const u = plan.tensor(`${label} gradients`, [imageNumbers(variant, correlation, K, most)]);
  // A few slices are added in the output transform, without a separate pass.
  const few = slices <= FEW_SLICES;
  const sums = plan.tensor(`${label} sums`, [few ? slices : 1, gradientNumbers(variant, problem)]);
  for (const { first, images } of chunks(N, most)) {
    const size = productSize(variant, setting, images);
    for (const [name, shader, from, at, tensor, to] of [
      ['inputs', 'input', image, start, x, v],
      ['gradients', 'gradient', result, [0, 0], dy, u],
    ] as const) {
      const { constants, workgroups } = threadsOverTiles(problem.layout, size.K, from.channels);
      plan.dispatch({
        label: `${label} ${name}`,
        kernel: {
          shader: winogradShader(shader, variant),
          constants: {
            ...common,
            ...constants,
            CHANNELS: from.channels,
            GROUPS: groups,
            ROWS: from.rows,
            COLUMNS: from.columns,
            START_V: at[0],
            START_H: at[1],
          },
        },
        tensors: { image: tensor, positions: to },
        uniforms: { N: images, FIRST: first },
        workgroups,
        bytes: tensorBytes(to) + (tensorBytes(tensor) * images) / N,
        spread: name === 'inputs' ? SPREAD.cached : SPREAD.usual,
      });
    }
    const planThem = few ? planProducts : planSummedProducts;
    planThem(plan, `${label} products`, {
      count: size.count,
      M: size.M,
      N: size.N,
      K: size.K,
      a: u,
      aAlongK: alongTiles,
      b: v,
      bAlongK: alongTiles,
      c: sums,
      tile,
      slices,
    });
    const { constants, workgroups } = threadsOver(C / groups, K);
    plan.dispatch({
      label: `${label} weights`,
      kernel: {
        shader: winogradShader('weights', variant),
        constants: {
          ...common,
          ...constants,
          K,
          CHANNELS: C / groups,
          SLICES: few ? slices : 1,
          ACCUMULATE: first > 0,
        },
      },
      tensors: { products: sums, dw },
      uniforms: { N: images, FIRST: first },
      workgroups,
    });
  }
  if (db) planBiasGradient(plan, `${label} bias`, setting, dy, db);
}
