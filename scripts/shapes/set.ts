/**
 * The two sets of synthetic shapes: every class equally often, in random order, each image from its own random stream.
 */
import { Random } from '../../src/base/random.ts';
import { CHANNELS, drawShape, SIZE } from './draw.ts';
import { OUTLINES } from './outlines.ts';

export interface ShapeSet {
  /** The file's name. */
  name: string;
  count: number;
  seed: number;
}

export const TRAIN: ShapeSet = { name: 'train_batch.bin.gz', count: 5_000, seed: 31_013 };
export const TEST: ShapeSet = { name: 'test_batch.bin.gz', count: 1_000, seed: 88_007 };

/** The labels of a whole set. */
export const drawLabels = ({ count, seed }: ShapeSet): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(new Random(seed, 'labels').permutation(count), (i) => i % OUTLINES.length);

/** The first `images` images of a set, for labels from `drawLabels`. */
export function drawImages({ seed }: ShapeSet, labels: Uint8Array, images: number): Uint8Array<ArrayBuffer> {
  const pixels = CHANNELS * SIZE * SIZE;
  const bytes = new Uint8Array(images * pixels);
  for (let i = 0; i < images; i++) {
    bytes.set(drawShape(labels[i], new Random(seed, `image ${i}`)), i * pixels);
  }
  return bytes;
}
