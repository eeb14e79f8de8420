import type { ImageTarget } from '../../base/pixels/prepare.ts';
import { sameShape } from '../../base/shape.ts';
import type { DatasetEntry } from '../../worker/api.ts';

/** What drawings and pictures are converted to: images like those of the data set. */
export interface PadTarget extends ImageTarget {
  /** Its classes are digits. */
  digits: boolean;
}

export const DIGITS: PadTarget = { shape: [1, 28, 28], digits: true, ground: 'dark', fitted: true };

export const targetOf = (
  dataset: Pick<DatasetEntry, 'shape' | 'classes' | 'ground' | 'fitted'> | undefined,
): PadTarget => {
  if (!dataset) return DIGITS;
  const { shape, classes, ground, fitted } = dataset;
  return { shape, digits: classes[0] === '0', ground, fitted };
};

export const isColour = ({ shape }: PadTarget): boolean => shape[0] === 3;

/** Whether the network that comes with the page knows such images: digits in the size of MNIST's. */
export const knowsTrained = ({ shape, digits, ground }: PadTarget): boolean =>
  digits && sameShape(shape, DIGITS.shape) && ground !== 'light';
