/** wgrad as F(R x R, M x M): tiles of dy act as filters, and products at every position are summed over all tiles. */
import { alignUp } from '../../../../../base/shape.ts';
import { SPREAD } from '../../../../cost.ts';
import { tensorBytes } from '../../../../dispatch.ts';
import { planProducts, planSummedProducts } from '../../../../gemm/products.ts';
import { sliceBytes } from '../../../../gemm/slices.ts';
import { chooseSlices, chooseTiles } from '../../../../gemm/choose-tile.ts';
import { rows, tileName, type Tile } from '../../../../gemm/tiles.ts';
import type { PlanBuilder, Tensor } from '../../../../plan.ts';
import type { ConvSetting, Launch, WgradTensors } from '../../algorithm.ts';
import { biasGradientBytes, planBiasGradient } from '../../bias_gradient.ts';
import {
  CACHE_BYTES,
  CACHED_TRIED,
  chunks,
  mostImages,
  TILES_TRIED,
  wholeTiles,
  type Chunk,
} from './chunks.ts';
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
interface WgradWay {
  readonly name: string;
  readonly bytes: number;
  readonly part: WgradPart;
  readonly tile: Tile;
  readonly slices: number;
}

/** What is computed at a time: sums over `images` for `filters` of dw; all filters if there are groups. */
interface WgradPart {
  readonly images: number;
  readonly filters: number;
}

/** The most tiles in a running sum if slices cost almost nothing: short sums are more accurate. */
const SHORT_SUM = 64;
const CHEAP_BYTES = 4 * 2 ** 20;
/** Slices that one thread may add. */
const FEW_SLICES = 8;
/** The most parts that the filters are cut into. */
const MOST_PASSES = 8;

/** Bytes of workspace for a part at a time and `slices` of its sums. */
function bytesOf(
  variant: Variant,
  setting: ConvSetting,
  { images, filters }: WgradPart,
  slices: number,
): number {
  const { problem } = setting;
  const correlation = forwardCorrelation(variant, problem);
  const sums = gradientNumbers(variant, { ...problem, K: filters });
  const slicedSums = slices <= FEW_SLICES ? 4 * slices * sums : 4 * sums + sliceBytes(slices, sums, 0);
  const imagesAndGradients =
    imageNumbers(variant, correlation, problem.C, images) +
    imageNumbers(variant, correlation, filters, images);
  return 4 * imagesAndGradients + slicedSums + biasGradientBytes(setting);
}

function fits(variant: Variant, setting: ConvSetting, part: WgradPart, slices: number): boolean {
  const { problem } = setting;
  const { images, filters } = part;
  const correlation = forwardCorrelation(variant, problem);
  const largest = Math.max(
    slices * gradientNumbers(variant, { ...problem, K: filters }),
    imageNumbers(variant, correlation, Math.max(problem.C, filters), images),
  );
  return (
    images * tilesAn(correlation) <= MAX_TILES &&
    bytesOf(variant, setting, part, slices) <= setting.workspace &&
    4 * largest <= setting.device.limit('maxStorageBufferBindingSize')
  );
}

/** The least workspace of a weight gradient: one image at a time. */
export const leastWgradBytes = (variant: Variant, setting: ConvSetting): number =>
  bytesOf(variant, setting, { images: 1, filters: setting.problem.K }, 1);

/** The products for a part, each a sum over tiles. */
function productSize(variant: Variant, { problem }: ConvSetting, { images, filters }: WgradPart) {
  const { C, groups } = problem;
  return {
    M: filters / groups,
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

/** The slices for a part: for speed, for accuracy, or as many as fit. */
function slicesFor(variant: Variant, setting: ConvSetting, part: WgradPart, tile: Tile): number | undefined {
  const size = productSize(variant, setting, part);
  const length = size.K / tile.WK;
  const accurate = Math.ceil(length / variant.longestSum);
  const sums = gradientNumbers(variant, { ...setting.problem, K: part.filters });
  const cheap = Math.floor(CHEAP_BYTES / (4 * sums));
  const wanted = Math.max(
    accurate,
    Math.min(cheap, Math.ceil(length / SHORT_SUM)),
    Math.min(chooseSlices(setting.device, tile, size), worthwhile(size)),
  );
  const slices = Math.min(wanted, Math.floor(65535 / size.count));
  // Each chunk is a sum by itself: if slices do not fit, use fewer images at a time.
  const least = part.images === 1 ? 1 : Math.min(accurate, slices);
  for (let count = slices; count >= least; count--) {
    if (fits(variant, setting, part, count)) return count;
  }
  return undefined;
}

function waysOf(variant: Variant, setting: ConvSetting): WgradWay[] {
  const { device, problem } = setting;
  const { N, C, K } = problem;
  const correlation = forwardCorrelation(variant, problem);
  const whole = wholeTiles(tilesAn(correlation));
  const wayOf = (tile: Tile, part: WgradPart, slices: number): WgradWay => {
    const parts = [
      ...(slices > 1 ? [`${slices} slices`] : []),
      ...(part.filters < K ? [`${part.filters} filters at a time`] : []),
      ...(part.images < N ? [`${part.images} images at a time`] : []),
    ];
    return {
      name: ['non-fused', tileName(tile), ...parts].join(', '),
      bytes: bytesOf(variant, setting, part, slices),
      part,
      tile,
      slices,
    };
  };
  /** With as many images at a time as fit and `allows` accepts. */
  const byImages = (tile: Tile, allows: (images: number) => boolean): WgradWay | undefined => {
    const slicesOf = (images: number) =>
      allows(images) ? slicesFor(variant, setting, { images, filters: K }, tile) : undefined;
    const images = mostImages(N, (some) => slicesOf(some) !== undefined, whole);
    const slices = images && slicesOf(images);
    return images && slices ? wayOf(tile, { images, filters: K }, slices) : undefined;
  };
  /**
   * With as many filters at a time as fit: sums are stored once, however many images there are. With fewer images only if not
   * one fits with all filters.
   */
  const byFilters = (tile: Tile, allImages: boolean): WgradWay | undefined => {
    for (let passes = 2; passes <= MOST_PASSES && problem.groups === 1; passes++) {
      const filters = Math.min(K, alignUp(Math.ceil(K / passes), rows(tile)));
      const slicesOf = (images: number) =>
        images < N && allImages ? undefined : slicesFor(variant, setting, { images, filters }, tile);
      const images = mostImages(N, (some) => slicesOf(some) !== undefined, whole);
      const slices = images && slicesOf(images);
      if (images && slices) return wayOf(tile, { images, filters }, slices);
    }
    return undefined;
  };
  const tiles = chooseTiles(device, productSize(variant, setting, { images: N, filters: K }), 'f32').slice(
    0,
    TILES_TRIED,
  );
  const cached = (images: number) =>
    4 * (imageNumbers(variant, correlation, C, images) + imageNumbers(variant, correlation, K, images)) <=
    CACHE_BYTES;
  const atOnce = tiles.map((tile) => byImages(tile, () => true));
  const ways = [
    ...tiles.map((tile, i) =>
      atOnce[i]?.part.images === N ? undefined : byFilters(tile, atOnce[i] !== undefined),
    ),
    ...atOnce,
    ...(device.onProcessor ? [] : tiles.slice(0, CACHED_TRIED).map((tile) => byImages(tile, cached))),
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
  { part, tile, slices }: WgradWay,
  { dy, x, dw, db }: WgradTensors,
): void {
  const { problem, number } = setting;
  const { N, C, K, groups } = problem;
  const correlation = forwardCorrelation(variant, problem);
  const { image, result, tiles, start } = correlation;
  const alongTiles = problem.layout === 'nchw';
  const common = { Number: number, TILES_V: tiles[0], TILES_H: tiles[1], NHWC: problem.layout === 'nhwc' };
  const v = plan.tensor(`${label} inputs`, [imageNumbers(variant, correlation, C, part.images)]);
  const u = plan.tensor(`${label} gradients`, [
    imageNumbers(variant, correlation, part.filters, part.images),
  ]);
  // A few slices are added in the output transform, without a separate pass.
  const few = slices <= FEW_SLICES;
  const numbers = gradientNumbers(variant, { ...problem, K: part.filters });
  const sums = plan.tensor(`${label} sums`, [few ? slices : 1, numbers]);
  for (const { first, count: images } of chunks(N, part.images)) {
    const transform = (of: 'inputs' | 'gradients', source: Tensor, target: Tensor, filters: Chunk) => {
      const [from, at] = of === 'inputs' ? [image, start] : [result, [0, 0]];
      const { constants, workgroups } = threadsOverTiles(
        problem.layout,
        images * tilesAn(correlation),
        filters.count,
      );
      plan.dispatch({
        label: `${label} ${of}`,
        kernel: {
          shader: winogradShader(of === 'inputs' ? 'input' : 'gradient', variant),
          constants: {
            ...common,
            ...constants,
            CHANNELS: from.channels,
            PART: filters.count,
            GROUPS: groups,
            ROWS: from.rows,
            COLUMNS: from.columns,
            START_V: at[0],
            START_H: at[1],
          },
        },
        tensors: { image: source, positions: target },
        uniforms: { N: images, FIRST: first, FIRST_FILTER: filters.first },
        workgroups,
        bytes: tensorBytes(target) + (tensorBytes(source) * (images / N) * filters.count) / from.channels,
        spread: of === 'inputs' ? SPREAD.cached : SPREAD.usual,
      });
    };
    transform('inputs', x, v, { first: 0, count: C });
    for (const filters of chunks(K, part.filters)) {
      transform('gradients', dy, u, filters);
      const size = productSize(variant, setting, { images, filters: filters.count });
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
      const { constants, workgroups } = threadsOver(C / groups, filters.count);
      plan.dispatch({
        label: `${label} weights`,
        kernel: {
          shader: winogradShader('weights', variant),
          constants: {
            ...common,
            ...constants,
            K: filters.count,
            CHANNELS: C / groups,
            SLICES: few ? slices : 1,
            ACCUMULATE: first > 0,
          },
        },
        tensors: { products: sums, dw },
        uniforms: { N: images, FIRST: first, FIRST_FILTER: filters.first },
        workgroups,
        bytes: tensorBytes(sums) + (tensorBytes(dw) * filters.count) / K,
      });
    }
  }
  if (db) planBiasGradient(plan, `${label} bias`, setting, dy, db);
}
