/**
 * How training images are varied, so that a network meets each in another form every time: what there is, with its
 * settings, in one table that the page, the command line and the kernels go by. Evaluation takes images as they are.
 */
import { Failure } from './result.ts';
import type { Shape } from './shape.ts';

/** 0 stands for none, everywhere. */
export interface Augmentation {
  /** Pixels: an image is padded with zeros by this width, and a random crop of its original size is taken. */
  crop: number;
  /** 1: every second image, randomly, is mirrored left to right. */
  flip: number;
  /** Pixels: the side of a square that is covered with the mean colour; its centre lies anywhere in the image. */
  cutout: number;
  /** Alpha: an image is blended with another one of its batch, with a random weight from Beta(alpha, alpha). */
  mixup: number;
}

export type AugmentationName = keyof Augmentation;

export interface AugmentationKind {
  name: AugmentationName;
  title: string;
  /** One sentence for newcomers. */
  summary: string;
  /** What people take, and what the name alone stands for. */
  usual: number;
  /** Pixels, or a number without a unit; a switch is on or off. */
  kind: 'pixels' | 'number' | 'switch';
  /** The largest that makes sense, whatever the image. */
  most: number;
  /** Who had the idea, or whose function does the same. */
  source: string;
}

export const AUGMENTATIONS: readonly AugmentationKind[] = [
  {
    name: 'crop',
    title: 'Random crop',
    summary: 'Moves each image by up to this many pixels; what comes in at the edges is black.',
    usual: 4,
    kind: 'pixels',
    most: 64,
    source: "torchvision's RandomCrop with padding",
  },
  {
    name: 'flip',
    title: 'Mirror',
    summary: 'Mirrors every second image left to right, by chance. Not for digits and letters.',
    usual: 1,
    kind: 'switch',
    most: 1,
    source: "torchvision's RandomHorizontalFlip",
  },
  {
    name: 'cutout',
    title: 'Cutout',
    summary: 'Covers a square of this side, so that no single part of an image decides.',
    usual: 8,
    kind: 'pixels',
    most: 64,
    source: 'DeVries and Taylor 2017, https://arxiv.org/abs/1708.04552',
  },
  {
    name: 'mixup',
    title: 'Mixup',
    summary: 'Blends images in pairs, and asks for both answers in the same shares; larger blends more.',
    usual: 0.2,
    kind: 'number',
    most: 100,
    source: 'Zhang et al. 2018, https://arxiv.org/abs/1710.09412',
  },
];

export const NO_AUGMENTATION: Augmentation = { crop: 0, flip: 0, cutout: 0, mixup: 0 };

export const isAugmented = (augmentation: Augmentation): boolean =>
  AUGMENTATIONS.some(({ name }) => augmentation[name] > 0);

/**
 * Reads "crop=4,flip,cutout=8,mixup=0.2": names, with values where the usual ones are not meant; what is not named is
 * not done.
 * @throws Failure `bad-input`
 */
export function parseAugmentation(text: string): Augmentation {
  const read = { ...NO_AUGMENTATION };
  const named = new Set<string>();
  for (const word of text.split(',')) {
    const [, name, value] = /^([a-z]+)(?:=(.+))?$/.exec(word.trim()) ?? [];
    const kind = AUGMENTATIONS.find((one) => one.name === name);
    if (!kind) {
      const known = AUGMENTATIONS.map((one) => one.name).join(', ');
      throw new Failure('bad-input', `expected some of ${known}, separated by commas, found "${word}"`);
    }
    if (named.has(name)) throw new Failure('bad-input', `${name} is given twice`);
    named.add(name);
    if (value !== undefined && !/^(\d+\.?\d*|\.\d+)$/.test(value)) {
      throw new Failure('bad-input', `${name}: expected a number, such as ${kind.usual}, found "${value}"`);
    }
    read[kind.name] = value === undefined ? kind.usual : Number(value);
  }
  checkAugmentation(read);
  return read;
}

/** As `parseAugmentation` reads it; "none" where nothing is done. */
export const showAugmentation = (augmentation: Augmentation): string =>
  AUGMENTATIONS.filter(({ name }) => augmentation[name] > 0)
    .map(({ name, kind }) => (kind === 'switch' ? name : `${name}=${augmentation[name]}`))
    .join(',') || 'none';

/**
 * @param image [C, H, W], where it is known
 * @throws Failure `bad-input` for values out of range, and crops and squares as large as the image
 */
export function checkAugmentation(augmentation: Augmentation, image?: Shape): void {
  for (const { name, kind, most } of AUGMENTATIONS) {
    const value = augmentation[name];
    const whole = kind === 'number' || Number.isInteger(value);
    if (!(value >= 0 && value <= most && whole)) {
      const what = kind === 'number' ? 'a number' : 'a whole number';
      throw new Failure('bad-input', `${name}: expected ${what} from 0 to ${most}, found ${value}`);
    }
    const side = image && Math.min(...image.slice(-2));
    if (side !== undefined && kind === 'pixels' && value >= side) {
      throw new Failure(
        'bad-input',
        `${name}: expected less than the image's ${side} pixels, found ${value}`,
        `${AUGMENTATIONS.find((one) => one.name === name)?.usual} is usual.`,
      );
    }
  }
}
