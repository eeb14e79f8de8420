/** Drawings of digits, in the form that the pad gives them. */
import { edgeOf } from './ground.ts';
import { BOX, extentOf, normaliseDrawing, SIDE } from './normalise.ts';

/** Ink fainter than this share of the strongest is noise of the paper, and from the second share on it is as strong as can be. */
const [FAINT, FULL] = [0.25, 0.7];

/** Ink without the paper's noise, 0 to 255. @param share of the strongest ink */
export const cleanInk = (share: number): number =>
  255 * Math.max(0, Math.min(1, (share - FAINT) / (FULL - FAINT)));

/** The median along the edge of a grey-scale picture. */
function edgeLevel(grey: ArrayLike<number>, width: number, height: number): number {
  const edge = edgeOf(width, height).map((place) => grey[place]);
  return edge.sort((a, b) => a - b)[edge.length >> 1];
}

/** The contrast of a square picture with its darker background, in bytes. */
export function inkOf(bright: ArrayLike<number>, side: number): Uint8Array {
  const level = edgeLevel(bright, side, side);
  let most = 0;
  for (let i = 0; i < bright.length; i++) most = Math.max(most, bright[i] - level);
  return Uint8Array.from(bright, (value) => Math.round(cleanInk(most > 0 ? (value - level) / most : 0)));
}

/**
 * An image of a digit as if it had been drawn on the pad: without noise, and centred. Those that are centred already do not
 * change, nor do images of another size.
 */
export function asDrawn(image: Uint8Array, [channels, height, width]: readonly number[]): Uint8Array {
  if (channels !== 1 || height !== SIDE || width !== SIDE || isCentred(image)) return image;
  return normaliseDrawing(inkOf(image, width), width) ?? image;
}

/** Whether an image has the form of MNIST's: its longer side is that of the box, and its centre of mass in the middle. */
function isCentred(image: Uint8Array): boolean {
  const { left, top, right, bottom, x, y } = extentOf(image, SIDE);
  const middle = SIDE / 2;
  return (
    Math.abs(Math.max(right - left, bottom - top) - BOX) <= 1 &&
    Math.abs(x - middle) <= 1 &&
    Math.abs(y - middle) <= 1
  );
}
