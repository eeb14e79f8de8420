/**
 * The two sets of synthetic digits: every class equally often, in random order, each image from its own random stream.
 */
import { Random } from '../../src/base/random.ts';
import { drawDigit, SIZE } from './draw.ts';

export const CLASSES = 10;

export interface DigitSet {
  /** File names start with this. */
  prefix: 'train' | 't10k';
  count: number;
  seed: number;
}

export const TRAIN: DigitSet = { prefix: 'train', count: 10_000, seed: 20_011 };
export const TEST: DigitSet = { prefix: 't10k', count: 2_000, seed: 77_003 };

/** The labels of a whole set. */
export const drawLabels = ({ count, seed }: DigitSet): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(new Random(seed, 'labels').permutation(count), (i) => i % CLASSES);

/** The first `images` images of a set, for labels from `drawLabels`. */
export function drawImages({ seed }: DigitSet, labels: Uint8Array, images: number): Uint8Array<ArrayBuffer> {
  const pixels = new Uint8Array(images * SIZE * SIZE);
  for (let i = 0; i < images; i++) {
    pixels.set(drawDigit(labels[i], new Random(seed, `image ${i}`)), i * SIZE * SIZE);
  }
  return pixels;
}
