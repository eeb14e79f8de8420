/**
 * Augmentation of training images: random changes, so that a network sees each image in another form every time. One
 * table of the kinds and their settings, for the page, the command line and the kernels. Evaluation does not augment.
 */
import { Failure } from './result.ts';
import type { Shape } from './shape.ts';

/** 0 turns a kind off. */
export interface Augmentation {
  /** Pixels: an image is padded by this width, and a random crop of its original size is taken. */
  crop: number;
  /** 1: the padding of a crop is the image's own reflection instead of zeros. */
  reflect: number;
  /** 1: each image is mirrored left to right with probability 1/2. */
  flip: number;
  /**
   * 1: a random half of the images is mirrored in the first epoch, the other half in the next, and so on in turn. It
   * takes the place of `flip`.
   */
  alternate: number;
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
  /** A usual value, which the name alone implies. */
  usual: number;
  /** Pixels, a number without a unit, or a switch, 0 or 1. */
  kind: 'pixels' | 'number' | 'switch';
  /** The largest value for any image. */
  most: number;
  /** The paper, or an equivalent function. */
  source: string;
}

export const AUGMENTATIONS: readonly AugmentationKind[] = [
  {
    name: 'crop',
    title: 'Random crop',
    summary: 'Shifts each image randomly by up to this many pixels; exposed edges are black.',
    usual: 4,
    kind: 'pixels',
    most: 64,
    source: "torchvision's RandomCrop with padding",
  },
  {
    name: 'reflect',
    title: 'Reflected edges',
    summary: 'Fills the edges that a crop exposes with the reflected image instead of black.',
    usual: 1,
    kind: 'switch',
    most: 1,
    source: "torchvision's RandomCrop with padding_mode='reflect'",
  },
  {
    name: 'flip',
    title: 'Mirror',
    summary: 'Mirrors a random half of the images left to right. Not suitable for digits and letters.',
    usual: 1,
    kind: 'switch',
    most: 1,
    source: "torchvision's RandomHorizontalFlip",
  },
  {
    name: 'alternate',
    title: 'Alternating mirror',
    summary:
      'Mirrors each image in every second epoch, so that two epochs show both forms of it. Replaces Mirror.',
    usual: 1,
    kind: 'switch',
    most: 1,
    source: 'Jordan 2024, https://arxiv.org/abs/2404.00498, section 3.6',
  },
  {
    name: 'cutout',
    title: 'Cutout',
    summary:
      'Covers a random square with this side length, so the network cannot rely on a single part of the image.',
    usual: 8,
    kind: 'pixels',
    most: 64,
    source: 'DeVries and Taylor 2017, https://arxiv.org/abs/1708.04552',
  },
  {
    name: 'mixup',
    title: 'Mixup',
    summary: 'Blends random pairs of images and their labels; larger values blend more strongly.',
    usual: 0.2,
    kind: 'number',
    most: 100,
    source: 'Zhang et al. 2018, https://arxiv.org/abs/1710.09412',
  },
];

export const NO_AUGMENTATION: Augmentation = {
  crop: 0,
  reflect: 0,
  flip: 0,
  alternate: 0,
  cutout: 0,
  mixup: 0,
};

export const isAugmented = (augmentation: Augmentation): boolean =>
  AUGMENTATIONS.some(({ name }) => augmentation[name] > 0);

/**
 * Reads "crop=4,flip,cutout=8,mixup=0.2": names, with values where they differ from the usual ones. Kinds that are not
 * named are off.
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

/** The inverse of `parseAugmentation`; "none" if everything is off. */
export const showAugmentation = (augmentation: Augmentation): string =>
  AUGMENTATIONS.filter(({ name }) => augmentation[name] > 0)
    .map(({ name, kind }) => (kind === 'switch' ? name : `${name}=${augmentation[name]}`))
    .join(',') || 'none';

/**
 * @param image [C, H, W], if known
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
