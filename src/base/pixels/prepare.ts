/** From a picture to a network's image: the one way that pictures take, wherever they come from. */
import type { Shape } from '../shape.ts';
import { groundOf, type Ground } from './ground.ts';
import { resized as resizedPlane } from './area.ts';
import { cleanInk } from './ink.ts';
import { normaliseDrawing, SIDE } from './normalise.ts';
import { contrastOf, otherGround, turned } from './paper.ts';
import { resized, type Picture } from './resize.ts';

/** The images that a network knows. */
export interface ImageTarget {
  /** [C, H, W] */
  shape: Shape;
  /** Of the images that it was trained on, if they have one. */
  ground?: Ground | undefined;
  /** They are digits, drawn with ink of one strength. */
  fitted?: boolean | undefined;
}

/** Whether a picture on the other ground is turned, none is, or all are. */
export const GROUND_CHOICES = ['auto', 'keep', 'invert'] as const;
export type GroundChoice = (typeof GROUND_CHOICES)[number];

export interface Prepared {
  /** C x H x W bytes */
  image: Uint8Array;
  /** Whether it lay on the other ground. */
  isTurned: boolean;
}

/** A larger picture is measured in this size. */
const MEASURED = 256;

/**
 * The picture's centre in the network's proportions, on white where it is transparent, averaged over the area of each pixel. If
 * the network knows grey images on one ground, a picture on the other one is turned; digits lose the noise of their paper, and
 * are fitted as MNIST's are. Whatever else it shows stays where it is.
 */
export function prepare(picture: Picture, target: ImageTarget, choice: GroundChoice = 'auto'): Prepared {
  const { shape, ground, fitted } = target;
  const [, height] = shape;
  const side = Math.min(picture.width, picture.height);
  const isFit = fitted === true && ground !== undefined && choice !== 'keep' && side !== height;
  if (isFit) return digitOf(picture, { shape, ground }, choice);
  return onGround(resized(picture, shape), target, choice);
}

/** An image of the network's size, on its ground. */
export function onGround(
  image: Uint8Array,
  { shape: [channels, height, width], ground }: ImageTarget,
  choice: GroundChoice = 'auto',
): Prepared {
  // Colours mean something, and are only turned if a person wants it.
  if (channels !== 1) {
    const isTurned = choice === 'invert';
    return { image: isTurned ? image.map((level) => 255 - level) : image, isTurned };
  }
  const found = ground && groundOf(image, width, height);
  const isTurned = choice === 'invert' || (choice === 'auto' && found !== undefined && found !== ground);
  if (!isTurned) return { image, isTurned };
  const from = found ?? groundOf(image, width, height) ?? 'light';
  return { image: turned(image, width, height, from), isTurned };
}

/** A digit without the paper's noise, fitted as MNIST's are if it is to have their size. A picture without one is empty. */
function digitOf(
  picture: Picture,
  { shape, ground }: ImageTarget & { ground: Ground },
  choice: GroundChoice,
): Prepared {
  const side = Math.min(MEASURED, picture.width, picture.height);
  const grey = resized(picture, [1, side, side]);
  const found = choice === 'invert' ? otherGround(ground) : (groundOf(grey, side, side) ?? ground);
  const ink = Uint8Array.from(contrastOf(grey, side, side, found), (level) => cleanInk(level / 255));
  const [, height, width] = shape;
  const isFit = height === SIDE && width === SIDE;
  const digit =
    (isFit ? normaliseDrawing(ink, side) : undefined) ??
    resizedPlane({ data: ink, width: side, height: side }, height, width);
  return { image: ground === 'dark' ? digit : digit.map((level) => 255 - level), isTurned: found !== ground };
}
