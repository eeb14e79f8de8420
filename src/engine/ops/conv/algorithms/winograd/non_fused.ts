/** fprop and dgrad in steps: transform filters and images, multiply at every position, transform back. */
import { SPREAD } from '../../../../cost.ts';
import { tensorBytes } from '../../../../dispatch.ts';
import { planProducts } from '../../../../gemm/products.ts';
import { chooseTiles } from '../../../../gemm/choose-tile.ts';
import { tileName, type Tile } from '../../../../gemm/tiles.ts';
import type { PlanBuilder } from '../../../../plan.ts';
import { CACHE_BYTES, CACHED_TRIED, chunks, mostImages, TILES_TRIED, wholeTiles } from './chunks.ts';
import {
  channelConstants,
  filterBytes,
  planFilters,
  resultConstants,
  resultTensors,
  tileConstants,
  type WinogradLaunch,
  type WinogradTensors,
  type WinogradWork,
} from './correlation.ts';
import { imageNumbers, MAX_TILES, positions, threadsOverTiles, tilesAn, winogradShader } from './shape.ts';

/** Bytes of images and results at all positions, with `images` at a time. */
const chunkBytes = ({ variant, correlation }: WinogradWork, images: number): number =>
  4 *
  (imageNumbers(variant, correlation, correlation.image.channels, images) +
    imageNumbers(variant, correlation, correlation.result.channels, images));

/** Bytes of workspace with `images` at a time. */
export const nonFusedBytes = (work: WinogradWork, images: number): number =>
  filterBytes(work) + chunkBytes(work, images);

/** True if `images` at a time fit the workspace, and each tensor a binding. */
function nonFusedFits(work: WinogradWork, images: number): boolean {
  const { variant, setting, correlation } = work;
  const channels = Math.max(correlation.image.channels, correlation.result.channels);
  const largest = Math.max(filterBytes(work), 4 * imageNumbers(variant, correlation, channels, images));
  return (
    images * tilesAn(correlation) <= MAX_TILES &&
    nonFusedBytes(work, images) <= setting.workspace &&
    largest <= setting.device.limit('maxStorageBufferBindingSize')
  );
}

/** The matrix multiplications for `images` images. */
function productSize(work: WinogradWork, images: number) {
  const { INNER, OUTER, GROUPS } = channelConstants(work);
  const count = positions(work.variant) * GROUPS;
  const tiles = images * tilesAn(work.correlation);
  return work.correlation.layout === 'nhwc'
    ? { M: tiles, N: OUTER, K: INNER, count }
    : { M: OUTER, N: tiles, K: INNER, count };
}

/** The launches worth trying; none if the workspace is too small. */
export function nonFusedLaunches(work: WinogradWork): WinogradLaunch[] {
  const { device, problem } = work.setting;
  const { N } = problem;
  const whole = wholeTiles(tilesAn(work.correlation));
  const most = mostImages(N, (images) => nonFusedFits(work, images), whole);
  if (most === undefined) return [];
  const launches = (images: number, tried: number): WinogradLaunch[] =>
    chooseTiles(device, productSize(work, images), 'f32')
      .slice(0, tried)
      .map((tile) => ({
        name: `non-fused, ${tileName(tile)}${images < N ? `, ${images} images at a time` : ''}`,
        workspaceBytes: nonFusedBytes(work, images),
        add: (plan, label, tensors) => planNonFused(plan, label, work, { images, tile }, tensors),
      }));
  const cached = mostImages(N, (images) => chunkBytes(work, images) <= CACHE_BYTES, whole);
  const further = !device.onProcessor && cached !== undefined && cached < most;
  return [...launches(most, TILES_TRIED), ...(further ? launches(cached, CACHED_TRIED) : [])];
}

function planNonFused(
  plan: PlanBuilder,
  label: string,
  work: WinogradWork,
  { images: most, tile }: { images: number; tile: Tile },
  tensors: WinogradTensors,
): void {
  const { variant, correlation, setting } = work;
  const { image, result, start } = correlation;
  const room = (name: string, channels: number) =>
    plan.tensor(`${label} ${name}`, [imageNumbers(variant, correlation, channels, most)]);
  const inputs = room('inputs', image.channels);
  const products = room('products', result.channels);
  const filters = planFilters(plan, label, work, tensors.w);
  for (const { first, count: images } of chunks(setting.problem.N, most)) {
    const size = productSize(work, images);
    const tiles = images * tilesAn(correlation);
    const inputThreads = threadsOverTiles(correlation.layout, tiles, image.channels);
    plan.dispatch({
      label: `${label} inputs`,
      kernel: {
        shader: winogradShader('input', variant),
        constants: {
          ...tileConstants(work),
          ...inputThreads.constants,
          CHANNELS: image.channels,
          PART: image.channels,
          GROUPS: correlation.groups,
          ROWS: image.rows,
          COLUMNS: image.columns,
          START_V: start[0],
          START_H: start[1],
        },
      },
      tensors: { image: tensors.image, positions: inputs },
      uniforms: { N: images, FIRST: first, FIRST_FILTER: 0 },
      workgroups: inputThreads.workgroups,
      bytes: tensorBytes(inputs) + (tensorBytes(tensors.image) * images) / setting.problem.N,
      spread: SPREAD.cached,
    });
    const factors =
      correlation.layout === 'nhwc'
        ? { a: inputs, aAlongK: true, b: filters, bAlongK: false }
        : { a: filters, aAlongK: false, b: inputs, bAlongK: false };
    planProducts(plan, `${label} products`, { ...size, ...factors, c: products, tile });
    const outputThreads = threadsOverTiles(correlation.layout, tiles, result.channels);
    plan.dispatch({
      label: `${label} outputs`,
      kernel: {
        shader: winogradShader('output', variant),
        constants: {
          ...tileConstants(work),
          ...outputThreads.constants,
          ...resultConstants(work, tensors),
          GROUPS: correlation.groups,
        },
      },
      tensors: { products, ...resultTensors(tensors) },
      uniforms: { N: images, FIRST: first, FIRST_FILTER: 0 },
      workgroups: outputThreads.workgroups,
      bytes: tensorBytes(products) + (tensorBytes(tensors.result) * images) / setting.problem.N,
      spread: SPREAD.cached,
    });
  }
}
