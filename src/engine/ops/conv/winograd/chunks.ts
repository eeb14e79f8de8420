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

/** All images in as many chunks as it takes if none has more than `most`; as equal as can be. */
export function chunks(N: number, most: number): Chunk[] {
  const count = Math.ceil(N / most);
  const images = Math.ceil(N / count);
  return Array.from({ length: Math.ceil(N / images) }, (_, i) => ({
    first: i * images,
    images: Math.min(images, N - i * images),
  }));
}

/** The most images at a time that `fits`, such that the chunks are equal; undefined if not even one does. */
export function mostImages(N: number, fits: (images: number) => boolean): number | undefined {
  for (let count = 1; count <= N; count++) {
    const images = Math.ceil(N / count);
    if (fits(images)) return images;
  }
  return undefined;
}
