/**
 * Stateless random numbers, for kernels and for code that repeats their results: the words of
 * shaders/common/random.wgsl, bit for bit. A word is a hash of where it is used: the hash is pcg4d of Jarzynski and
 * Olano, "Hash Functions for GPU Rendering" (JCGT 9:3, 2020, https://jcgt.org/published/0009/03/02/). For sequences,
 * see `Random` (random.ts).
 */

/** Four words, each uniform on [0, 2^32). */
export type RandomWords = readonly [number, number, number, number];

/**
 * @param seed any integer, as the others; its low 32 bits are used
 * @param stream separates uses of one seed
 * @param place within the stream: an element, say
 */
export function randomWords(seed: number, stream: number, place: number): RandomWords {
  const first = mixed([linear(place), linear(stream), linear(seed), linear(0)]);
  const [x, y, z, w] = mixed([fold(first[0]), fold(first[1]), fold(first[2]), fold(first[3])]);
  return [x >>> 0, y >>> 0, z >>> 0, w >>> 0];
}

/** A number, uniform on [0, 1): the word's high 24 bits, which are the most random and which float32 holds exactly. */
export const unit = (word: number): number => (word >>> 8) / 0x1000000;

/** An integer, uniform on [0, bound) up to a bias of bound / 65536. bound: 1 to 65536. */
export const below = (word: number, bound: number): number => Math.floor(((word >>> 16) * bound) / 65536);

const linear = (v: number): number => (Math.imul(v, 1664525) + 1013904223) | 0;
const fold = (v: number): number => v ^ (v >>> 16);

function mixed([x, y, z, w]: RandomWords): RandomWords {
  const x1 = (x + Math.imul(y, w)) | 0;
  const y1 = (y + Math.imul(z, x1)) | 0;
  const z1 = (z + Math.imul(x1, y1)) | 0;
  return [x1, y1, z1, (w + Math.imul(y1, z1)) | 0];
}
