/** fprop and dgrad: transform images and filters, take products at every position, transform back. */
import { planProducts } from '../../../gemm/products.ts';
import { chooseTiles, tileName, type Tile } from '../../../gemm/tiles.ts';
import type { NumberType, PlanBuilder, Tensor } from '../../../plan.ts';
import type { ConvSetting, Launch } from '../algorithm.ts';
import { chunks, mostImages } from './chunks.ts';
import type { Variant } from './cook_toom.ts';
import {
  filterNumbers,
  positionNumbers,
  positions,
  threadsOver,
  tilesAn,
  type Correlation,
} from './shape.ts';

/** What a correlation reads and writes. */
interface Tensors {
  image: Tensor;
  w: Tensor;
  bias?: Tensor;
  relu?: boolean;
  mask?: Tensor;
  result: Tensor;
}

/** How a correlation is run. */
interface Way {
  readonly name: string;
  readonly bytes: number;
  readonly images: number;
  readonly tile: Tile;
}

/** Images and products of a chunk that the second level cache of a large GPU holds. */
const CACHE_BYTES = 24 * 2 ** 20;
/** Tiles of products that are tried, and those of them that are tried with chunks for the cache. */
const TILES_TRIED = 4;
const CACHED_TRIED = 2;

/** Bytes that a correlation takes if it works on `images` at a time. */
export function correlationBytes(
  variant: Variant,
  { problem }: ConvSetting,
  correlation: Correlation,
  images: number,
): number {
  const channels = correlation.image.channels + correlation.tiled.channels;
  return 4 * (filterNumbers(variant, problem) + positionNumbers(variant, correlation, channels, images));
}

/** True if `images` at a time fit the workspace, and each tensor a binding. */
function fits(variant: Variant, setting: ConvSetting, correlation: Correlation, images: number): boolean {
  const { image, tiled } = correlation;
  const channels = Math.max(image.channels, tiled.channels);
  const largest = Math.max(
    filterNumbers(variant, setting.problem),
    positionNumbers(variant, correlation, channels, images),
  );
  return (
    correlationBytes(variant, setting, correlation, images) <= setting.workspace &&
    4 * largest <= setting.device.limit('maxStorageBufferBindingSize')
  );
}

/** True if it can be done an image at a time, at least. */
export const correlationFits = (variant: Variant, setting: ConvSetting, correlation: Correlation): boolean =>
  fits(variant, setting, correlation, 1);

function waysOf(variant: Variant, setting: ConvSetting, correlation: Correlation, backward: boolean): Way[] {
  const { device, problem } = setting;
  const { N, C, K, groups } = problem;
  const [c, k] = [C / groups, K / groups];
  const most = mostImages(N, (images) => fits(variant, setting, correlation, images));
  if (most === undefined) return [];
  const way = (images: number, tile: Tile): Way => ({
    name: `non-fused, ${tileName(tile)}${images < N ? `, ${images} images at a time` : ''}`,
    bytes: correlationBytes(variant, setting, correlation, images),
    ...{ images, tile },
  });
  const tilesFor = (images: number) =>
    chooseTiles(device, {
      ...{ M: backward ? c : k, N: images * tilesAn(correlation), K: backward ? k : c },
      count: positions(variant) * groups,
    });
  const ways = tilesFor(most)
    .slice(0, TILES_TRIED)
    .map((tile) => way(most, tile));
  const filters = 4 * filterNumbers(variant, problem);
  const cached = mostImages(
    N,
    (images) => correlationBytes(variant, setting, correlation, images) - filters <= CACHE_BYTES,
  );
  if (device.adapter.software || cached === undefined || cached >= most) return ways;
  const few = tilesFor(cached).slice(0, CACHED_TRIED);
  return [...ways, ...few.map((tile) => way(cached, tile))];
}

/** The launches of fprop or dgrad; `tensorsOf` gives its tensors their parts. */
export function correlationLaunches<D extends 'fprop' | 'dgrad'>(
  variant: Variant,
  setting: ConvSetting,
  direction: D,
  correlation: Correlation,
  tensorsOf: (tensors: Parameters<Launch<D>['add']>[2]) => Tensors,
): Launch<D>[] {
  const backward = direction === 'dgrad';
  return waysOf(variant, setting, correlation, backward).map((way) => ({
    name: way.name,
    workspaceBytes: way.bytes,
    add: (plan, label, tensors) =>
      planCorrelation(plan, label, { variant, setting, correlation, backward, way }, tensorsOf(tensors)),
  }));
}

/** A row of a tile as one vector, where rows of the image are made of them. */
function piece(variant: Variant, columns: number, number: NumberType) {
  const whole = columns % variant.M === 0;
  const vector = `vec${variant.M}${number === 'f16' ? 'h' : 'f'}`;
  return { TWOS: whole && variant.M === 2, FOURS: whole && variant.M === 4, Piece: whole ? vector : number };
}

function planCorrelation(
  plan: PlanBuilder,
  label: string,
  given: {
    variant: Variant;
    setting: ConvSetting;
    correlation: Correlation;
    backward: boolean;
    way: Way;
  },
  { image, w, bias, relu = false, mask, result }: Tensors,
): void {
  const { variant, correlation, backward, way } = given;
  const { problem, number } = given.setting;
  const { N, C, K, groups } = problem;
  const [c, k] = [C / groups, K / groups];
  const { image: from, tiled: to, tiles, start } = correlation;
  const common = { Number: number, TILES_V: tiles[0], TILES_H: tiles[1] };
  const u = plan.tensor(`${label} filters`, [filterNumbers(variant, problem)]);
  const v = plan.tensor(`${label} inputs`, [
    positionNumbers(variant, correlation, from.channels, way.images),
  ]);
  const m = plan.tensor(`${label} products`, [
    positionNumbers(variant, correlation, to.channels, way.images),
  ]);
  const filterThreads = threadsOver(c, K);
  plan.dispatch({
    label: `${label} filters`,
    kernel: {
      shader: `conv/${variant.name}/filter`,
      constants: { ...common, ...filterThreads.constants, K, CHANNELS: c, FLIP: backward },
    },
    tensors: { w, positions: u },
    uniforms: { N, FIRST: 0 },
    workgroups: filterThreads.workgroups,
  });
  for (const { first, images } of chunks(N, way.images)) {
    const count = images * tilesAn(correlation);
    const inputThreads = threadsOver(count, from.channels);
    plan.dispatch({
      label: `${label} inputs`,
      kernel: {
        shader: `conv/${variant.name}/input`,
        constants: {
          ...{ ...common, ...inputThreads.constants },
          ...{ CHANNELS: from.channels, ROWS: from.rows, COLUMNS: from.columns },
          ...{ START_V: start[0], START_H: start[1] },
        },
      },
      tensors: { image, positions: v },
      uniforms: { N: images, FIRST: first },
      workgroups: inputThreads.workgroups,
    });
    planProducts(plan, `${label} products`, {
      count: positions(variant) * groups,
      ...{ M: backward ? c : k, N: count, K: backward ? k : c },
      ...{ a: u, aAlongK: !backward, b: v, bAlongK: false, c: m, tile: way.tile },
    });
    const outputThreads = threadsOver(count, to.channels);
    plan.dispatch({
      label: `${label} outputs`,
      kernel: {
        shader: `conv/${variant.name}/output`,
        constants: {
          ...{ ...common, ...outputThreads.constants, ...piece(variant, to.columns, number) },
          ...{ CHANNELS: to.channels, ROWS: to.rows, COLUMNS: to.columns },
          ...{ HAS_BIAS: bias !== undefined, RELU: relu, MASK: mask !== undefined },
        },
      },
      tensors: { products: m, bias: bias ?? w, mask: mask ?? w, results: result },
      uniforms: { N: images, FIRST: first },
      workgroups: outputThreads.workgroups,
    });
  }
}
