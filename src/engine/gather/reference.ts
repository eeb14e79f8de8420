/** The gather kernel's reference in float64. It draws the same random words as the kernel. */
import { NO_AUGMENTATION, type Augmentation } from '../../base/augmentation.ts';
import { below, randomWords } from '../../base/random-words.ts';
import type { Shape } from '../../base/shape.ts';

/** The settings and random seed of a step's augmentation. */
export interface SeededAugmentation {
  augmentation: Augmentation;
  seed: number;
  /** Mixup: the weight of an image itself, 0 to 1. */
  mix?: number;
}

const PLAIN: SeededAugmentation = { augmentation: NO_AUGMENTATION, seed: 0 };

/** A random stream's number, from the four letters of its name. */
const stream = (letters: string): number =>
  [...letters].reduce((word, letter) => word * 256 + letter.charCodeAt(0), 0);

/** The random augmentation of the image in row `row` of a batch. Pixels. */
export interface Draws {
  /** Position of the crop in the image with its border: 0 to 2 x crop. */
  left: number;
  top: number;
  mirrored: boolean;
  /** The centre of the covered square. */
  centre: { x: number; y: number };
}

export function drawsOf({ augmentation, seed }: SeededAugmentation, [, H, W]: Shape, row: number): Draws {
  const crop = randomWords(seed, stream('CROP'), row);
  const cutout = randomWords(seed, stream('CUT0'), row);
  return {
    left: below(crop[0], 2 * augmentation.crop + 1),
    top: below(crop[1], 2 * augmentation.crop + 1),
    mirrored: augmentation.flip > 0 && crop[2] >= 0x80000000,
    centre: { x: below(cutout[0], W), y: below(cutout[1], H) },
  };
}

/** The row that each row of a batch is blended with. */
export function partnersOf(seed: number, count: number): number[] {
  const shift = count > 1 ? 1 + below(randomWords(seed, stream('MIXU'), 0)[0], count - 1) : 0;
  return Array.from({ length: count }, (_, row) => (row + shift) % count);
}

/** Cuts `shape` out of the image with its border, then mirrors. Bytes. */
export function cropped(image: Uint8Array, [C, H, W]: Shape, border: number, draws: Draws): Uint8Array {
  const [rows, columns] = [H + 2 * border, W + 2 * border];
  const bordered = new Uint8Array(C * rows * columns);
  for (let c = 0; c < C; c++) {
    for (let y = 0; y < H; y++) {
      const line = image.subarray((c * H + y) * W, (c * H + y + 1) * W);
      bordered.set(line, (c * rows + y + border) * columns + border);
    }
  }
  const out = new Uint8Array(C * H * W);
  for (let c = 0; c < C; c++) {
    for (let y = 0; y < H; y++) {
      const start = (c * rows + y + draws.top) * columns + draws.left;
      const line = bordered.slice(start, start + W);
      out.set(draws.mirrored ? line.toReversed() : line, (c * H + y) * W);
    }
  }
  return out;
}

/** All images of a set, with the shape [C, H, W] of one. */
export interface ReferenceImages {
  images: Uint8Array;
  shape: Shape;
  mean: readonly number[];
  std: readonly number[];
}

/** A normalised batch in float64: (byte / 255 - mean) / std by channel, of the augmented images. */
export function gatherReference(
  { images, shape, mean, std }: ReferenceImages,
  indices: readonly number[],
  seeded = PLAIN,
): Float64Array {
  const [, H, W] = shape;
  const pixels = shape[0] * H * W;
  const { augmentation, seed, mix = 1 } = seeded;
  const seen = indices.map((index, row) => {
    const draws = drawsOf(seeded, shape, row);
    const image = images.subarray(index * pixels, (index + 1) * pixels);
    const x = Float64Array.from(cropped(image, shape, augmentation.crop, draws), (byte, i) => {
      const channel = Math.floor(i / (H * W));
      return (byte / 255 - mean[channel]) / std[channel];
    });
    const side = augmentation.cutout;
    const first = { x: draws.centre.x - Math.floor(side / 2), y: draws.centre.y - Math.floor(side / 2) };
    return x.map((value, i) => {
      const [right, down] = [(i % W) - first.x, (Math.floor(i / W) % H) - first.y];
      return right >= 0 && right < side && down >= 0 && down < side ? 0 : value;
    });
  });
  const partners = partnersOf(seed, indices.length);
  const batch = new Float64Array(indices.length * pixels);
  seen.forEach((x, row) => {
    const other = seen[partners[row]];
    const blended = augmentation.mixup > 0 ? x.map((v, i) => mix * v + (1 - mix) * other[i]) : x;
    batch.set(blended, row * pixels);
  });
  return batch;
}
