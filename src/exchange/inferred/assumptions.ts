/** What shapes do not show of a network. */
import { Failure } from '../../base/result.ts';
import { elements, isImageShape, type Pair, type Shape } from '../../base/shape.ts';
import type { Normalisation } from '../../engine/samples.ts';
import { ops } from '../../engine/ops/registry.ts';

/** How the values of an image become those that the first fully connected layer reads. */
export const FLATTENS = ['chw', 'hwc', 'mean'] as const;

export interface Assumptions {
  /** [C, H, W] of the images. */
  input: Shape;
  /** An op without attributes, after every layer with weights but the last, or 'none'. */
  activation: string;
  pooling: 'max' | 'avg';
  /** Size and stride of its windows. */
  window: Pair;
  /** The layers that pooling follows. */
  pools: readonly string[];
  /** Of each convolution. */
  strides: readonly Pair[];
  paddings: readonly Pair[];
  flatten: (typeof FLATTENS)[number];
  /** Of each norm without statistics: 1 normalises all channels together, as many as channels each by itself. */
  groups: readonly number[];
  /** Of the images in the training; unknown, those of the data set are used. */
  normalisation: Normalisation | 'unknown';
}

/** Assumptions as texts, in forms and options. */
export type AssumedTexts = Readonly<Partial<Record<keyof Assumptions, string>>>;

const ACTIVATIONS = [
  ...['relu', 'leaky_relu', 'elu', 'selu', 'gelu', 'silu', 'tanh', 'sigmoid', 'softplus'],
  ...['clip', 'hard_swish', 'hard_sigmoid'],
].filter((name) => ops.has(name));

interface Text<T> {
  expected: string;
  choices?: readonly string[];
  /** Undefined if the text says none. */
  read(text: string): T | undefined;
  write(value: T): string;
}

const numbers = (text: string): number[] | undefined => {
  const found = text.split('x').map((part) => (/^\d{1,4}$/.test(part.trim()) ? Number(part) : NaN));
  return found.every(Number.isFinite) ? found : undefined;
};

const pair =
  (least: number) =>
  (text: string): Pair | undefined => {
    const [vertical, horizontal = vertical, ...more] = numbers(text) ?? [];
    const fits = more.length === 0 && vertical >= least && horizontal >= least;
    return fits ? [vertical, horizontal] : undefined;
  };
const pairText = ([vertical, horizontal]: Pair): string =>
  vertical === horizontal ? `${vertical}` : `${vertical}x${horizontal}`;

const pairs = (least: number): Text<readonly Pair[]> => ({
  expected: 'one number for each convolution, separated by commas',
  read: (text) => {
    const found = text.split(',').map(pair(least));
    return found.every((one) => one !== undefined) ? found : undefined;
  },
  write: (all) => all.map(pairText).join(),
});

const word = <T extends string>(choices: readonly T[]): Text<T> => ({
  expected: `one of ${choices.join(', ')}`,
  choices,
  read: (text) => choices.find((one) => one === text),
  write: (value) => value,
});

const TEXTS: { readonly [K in keyof Assumptions]: Text<Assumptions[K]> } = {
  input: {
    expected: 'channels, height and width, such as 1x28x28',
    read: (text) => {
      const shape = numbers(text);
      return isImageShape(shape) && elements(shape) > 0 ? shape : undefined;
    },
    write: (shape) => shape.join('x'),
  },
  activation: word([...ACTIVATIONS, 'none']),
  pooling: word(['max', 'avg']),
  window: {
    expected: 'the size and the stride of the windows, such as 2/2',
    read: (text) => {
      const [size, stride, ...more] = text.split('/').map((part) => numbers(part)?.[0] ?? 0);
      return size >= 1 && stride >= 1 && more.length === 0 ? [size, stride] : undefined;
    },
    write: (window) => window.join('/'),
  },
  pools: {
    expected: 'names of convolutions, separated by commas, or none',
    read: (text) => (text.trim() === 'none' ? [] : text.split(',').map((name) => name.trim())),
    write: (names) => names.join() || 'none',
  },
  strides: pairs(1),
  paddings: pairs(0),
  flatten: word(FLATTENS),
  groups: {
    expected: 'one number of groups for each norm without statistics, separated by commas',
    read: (text) => {
      const found = text.split(',').map((part) => numbers(part) ?? []);
      return found.every((one) => one.length === 1 && one[0] >= 1) ? found.flat() : undefined;
    },
    write: (all) => all.join(),
  },
  normalisation: {
    expected:
      'mean and standard deviation of pixels in [0, 1], for each channel, such as 0.5/0.5, or unknown',
    read: (text) => {
      if (text.trim() === 'unknown') return 'unknown';
      const [mean, std, ...more] = text.split('/').map((part) => part.split(',').map(Number));
      const fits =
        more.length === 0 &&
        std?.length === mean.length &&
        [...mean, ...std].every(Number.isFinite) &&
        std.every((value) => value > 0);
      return fits ? { mean, std } : undefined;
    },
    write: (value) => (value === 'unknown' ? value : `${value.mean.join()}/${value.std.join()}`),
  },
};

/** The assumptions that can be made, for forms: those with `choices` are one of them. */
export const ASSUMPTIONS = Object.entries(TEXTS).map(([name, { choices }]) => ({
  name: name as keyof Assumptions,
  choices,
}));

/** @throws Failure `bad-input` with the one that is wrong */
export function readAssumed(texts: AssumedTexts): Partial<Assumptions> {
  const found = Object.entries(texts).map(([name, text]) => {
    if (!Object.hasOwn(TEXTS, name))
      throw new Failure('bad-input', `${name}: expected one of ${Object.keys(TEXTS).join(', ')}`);
    const { read, expected } = TEXTS[name as keyof Assumptions];
    const value = read(text);
    if (value === undefined)
      throw new Failure('bad-input', `${name}: expected ${expected}; found “${text.slice(0, 60)}”`);
    return [name, value] as const;
  });
  return Object.fromEntries(found) as Partial<Assumptions>;
}

export const assumedTexts = (assumed: Partial<Assumptions>): AssumedTexts =>
  Object.fromEntries(
    Object.entries(assumed).map(([name, value]) => [
      name,
      (TEXTS[name as keyof Assumptions] as Text<unknown>).write(value),
    ]),
  );
