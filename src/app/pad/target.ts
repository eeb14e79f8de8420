import { sameShape, type Shape } from '../../base/shape.ts';

/** What drawings and pictures are converted to: images like those of the data set. */
export interface PadTarget {
  /** [C, H, W]; one channel of ink, or red, green and blue. */
  shape: Shape;
  /** Its classes are digits, which the data sets have in one size and place. */
  digits: boolean;
}

export const DIGITS: PadTarget = { shape: [1, 28, 28], digits: true };

export const targetOf = (dataset: { shape: Shape; classes: readonly string[] } | undefined): PadTarget =>
  dataset ? { shape: dataset.shape, digits: dataset.classes[0] === '0' } : DIGITS;

export const isColour = ({ shape }: PadTarget): boolean => shape[0] === 3;

/** Whether the network that comes with the page knows such images: digits in the size of MNIST's. */
export const knowsTrained = ({ shape, digits }: PadTarget): boolean =>
  digits && sameShape(shape, DIGITS.shape);
