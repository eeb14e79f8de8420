/** Images that a network reads as a vector of pixels, or as rows of grey ones. */
import { MAX_SIDE, type Shape } from '../base/shape.ts';

/** The least side of an image: fewer values are measurements of something else. */
const LEAST_SIDE = 8;

/**
 * [C, H, W] of the images whose pixels have these sizes, [784] or [28, 28]: rows of grey ones, or a square, grey or in
 * colour. Undefined if they are those of no image.
 */
export function imageOfPixels(sizes: Shape): [number, number, number] | undefined {
  const [first, second] = sizes;
  const isSide = (side: number) => Number.isInteger(side) && side >= LEAST_SIDE && side <= MAX_SIDE;
  if (sizes.length === 2 && isSide(first) && isSide(second)) return [1, first, second];
  if (sizes.length !== 1) return undefined;
  const channels = [1, 3].find((count) => isSide(Math.sqrt(first / count)));
  if (channels === undefined) return undefined;
  return [channels, Math.sqrt(first / channels), Math.sqrt(first / channels)];
}
