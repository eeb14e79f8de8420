/** The gather kernel's reference in float64. It draws the same random words as the kernel. */
import { NO_AUGMENTATION, type Augmentation } from '../../base/augmentation.ts';
import { below, randomWords } from '../../base/random-words.ts';
import type { Shape } from '../../base/shape.ts';

/** The settings and random seed of a step's augmentation. */
export interface SeededAugmentation {
  augmentation: Augmentation;
  seed: number;
  /** Alternating mirrors: the run's seed, the place of the first sample in the stream of epochs, images in the set. */
  runSeed?: number;
  position?: number;
  count?: number;
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

/** @param image its index in the data set */
export function drawsOf(
  { augmentation, seed, runSeed = 0, position = 0, count = 1 }: SeededAugmentation,
  [, H, W]: Shape,
  row: number,
  image = 0,
): Draws {
  const crop = randomWords(seed, stream('CROP'), row);
  const cutout = randomWords(seed, stream('CUT0'), row);
  const first = randomWords(runSeed, stream('ALTE'), image)[0] >= 0x80000000 ? 1 : 0;
  const epoch = Math.floor((position + row) / count);
  return {
    left: below(crop[0], 2 * augmentation.crop + 1),
    top: below(crop[1], 2 * augmentation.crop + 1),
    mirrored:
      augmentation.alternate > 0 ? (first + epoch) % 2 === 1 : augmentation.flip > 0 && crop[2] >= 0x80000000,
    centre: { x: below(cutout[0], W), y: below(cutout[1], H) },
  };
}

/** The row that each row of a batch is blended with. */
export function partnersOf(seed: number, count: number): number[] {
  const shift = count > 1 ? 1 + below(randomWords(seed, stream('MIXU'), 0)[0], count - 1) : 0;
  return Array.from({ length: count }, (_, row) => (row + shift) % count);
}

/** The image with a border of zeros, or of its reflection, by the definition of numpy.pad's mode 'reflect'. */
function bordered(image: Uint8Array, [C, H, W]: Shape, border: number, reflects: boolean): Uint8Array {
  const [rows, columns] = [H + 2 * border, W + 2 * border];
  const inside = (place: number, size: number) =>
    place < 0 ? -place : place < size ? place : 2 * (size - 1) - place;
  return Uint8Array.from({ length: C * rows * columns }, (_, i) => {
    const x = (i % columns) - border;
    const y = (Math.floor(i / columns) % rows) - border;
    if (!reflects && (x < 0 || x >= W || y < 0 || y >= H)) return 0;
    const c = Math.floor(i / (rows * columns));
    return image[(c * H + inside(y, H)) * W + inside(x, W)];
  });
}

/** Cuts `shape` out of the image with its border, then mirrors. Bytes. */
export function cropped(
  image: Uint8Array,
  shape: Shape,
  { crop: border, reflect }: Augmentation,
  draws: Draws,
): Uint8Array {
  const [C, H, W] = shape;
  const [rows, columns] = [H + 2 * border, W + 2 * border];
  const source = bordered(image, shape, border, reflect > 0);
  const out = new Uint8Array(C * H * W);
  for (let c = 0; c < C; c++) {
    for (let y = 0; y < H; y++) {
      const start = (c * rows + y + draws.top) * columns + draws.left;
      const line = source.slice(start, start + W);
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
    const draws = drawsOf(seeded, shape, row, index);
    const image = images.subarray(index * pixels, (index + 1) * pixels);
    const x = Float64Array.from(cropped(image, shape, augmentation, draws), (byte, i) => {
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
