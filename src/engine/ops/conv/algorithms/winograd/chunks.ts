/** Images are processed in chunks if workspace is short, or so that a GPU's cache holds their data. */

/** Bytes of a chunk's images and products that fit the second-level cache of a large GPU. */
export const CACHE_BYTES = 24 * 2 ** 20;
/** How many GEMM tiles are tried, and how many of them with chunks for the cache. */
export const TILES_TRIED = 4;
export const CACHED_TRIED = 2;

/** Images, or filters. */
export interface Chunk {
  readonly first: number;
  readonly count: number;
}

/** All of them, `most` at a time; the last chunk may be smaller. */
export function chunks(all: number, most: number): Chunk[] {
  return Array.from({ length: Math.ceil(all / most) }, (_, i) => ({
    first: i * most,
    count: Math.min(most, all - i * most),
  }));
}

/**
 * The images per chunk: as few chunks as `fits` allows, of even size. Slightly more images if that makes all chunks but
 * the last `whole`. Undefined if not even one image fits.
 */
export function mostImages(
  N: number,
  fits: (images: number) => boolean,
  whole: (images: number) => boolean,
): number | undefined {
  for (let count = 1; count <= N; count++) {
    const images = Math.ceil(N / count);
    if (!fits(images)) continue;
    for (let more = images; more <= Math.min(N, 1.25 * images); more++) {
      if (whole(more) && fits(more)) return more;
    }
    return images;
  }
  return undefined;
}

/** Tiles that divide products of all sizes into whole steps, so they need no masks. */
const WHOLE = 128;

export const wholeTiles =
  (tilesAnImage: number) =>
  (images: number): boolean =>
    (images * tilesAnImage) % WHOLE === 0;
