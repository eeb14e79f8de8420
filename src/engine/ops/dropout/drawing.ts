/** The constants of a dropout layer's random numbers. */

/** Gives each layer its own stream: FNV-1a of the layer's name (http://www.isthe.com/chongo/tech/comp/fnv/). */
export function streamOf(layer: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(layer)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** An element is dropped if the high 24 bits of its word are below this. */
export const droppedBelow = (p: number): number => Math.round(p * 2 ** 24);

/** Remaining elements are multiplied by this, so that sums keep their expected value. */
export const scaleOf = (p: number): number => (p === 1 ? 0 : 1 / (1 - p));
