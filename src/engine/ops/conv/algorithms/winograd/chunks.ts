/** Images are worked on some at a time where workspace is short, or so that a GPU's cache holds what they take. */

/** Images and products of a chunk that the second level cache of a large GPU holds. */
export const CACHE_BYTES = 24 * 2 ** 20;
/** Tiles of products that are tried, and those of them that are tried with chunks for the cache. */
export const TILES_TRIED = 4;
export const CACHED_TRIED = 2;

export interface Chunk {
  readonly first: number;
  readonly images: number;
}

/** All images, `most` at a time; the last may be fewer. */
export function chunks(N: number, most: number): Chunk[] {
  return Array.from({ length: Math.ceil(N / most) }, (_, i) => ({
    first: i * most,
    images: Math.min(most, N - i * most),
  }));
}

/**
 * How many of N images at a time: as few chunks as `fits` allows, shared out evenly. Somewhat more images if that makes
 * all chunks but the last `whole`. Undefined if not even one image fits.
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

/** Tiles that products of all sizes divide into whole steps: those need no masks. */
const WHOLE = 128;

export const wholeTiles =
  (tilesAnImage: number) =>
  (images: number): boolean =>
    (images * tilesAnImage) % WHOLE === 0;
