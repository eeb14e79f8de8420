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
 * How many of N images at a time: the most that `fits` allows, shared out evenly. Somewhat fewer if that makes all
 * chunks equal: they need the same pipelines then. Undefined if not even one image fits.
 */
export function mostImages(N: number, fits: (images: number) => boolean): number | undefined {
  for (let count = 1; count <= N; count++) {
    const images = Math.ceil(N / count);
    if (!fits(images)) continue;
    for (let more = count; more <= 1.5 * count; more++) {
      if (N % more === 0 && fits(N / more)) return N / more;
    }
    return images;
  }
  return undefined;
}
