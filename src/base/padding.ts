/** Padding of images: what models, files, links and options say, and the rows and columns that follow from it. */

/** Rows and columns that a convolution or pooling adds around an image. */
export interface Padding {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/**
 * `valid`: none. `same`: so much that the output has ceil(size / stride) rows and columns, half of it on each side and
 * an odd one at the end, as in TensorFlow and Keras; at stride 1 as in PyTorch.
 */
export const PADDING_WORDS = ['same', 'valid'] as const;

export type PaddingWord = (typeof PADDING_WORDS)[number];

/** A pair is [vertical, horizontal], equal on both sides. */
export type PaddingSetting = Padding | readonly [vertical: number, horizontal: number] | PaddingWord;

export const SIDES = ['top', 'bottom', 'left', 'right'] as const;

/** For messages: what `isPaddingSetting` accepts. */
export const PADDING_FORMS =
  '"same", "valid", [vertical, horizontal] or { top, bottom, left, right } in whole numbers of at least 0';

/** Whether a value, perhaps from a file, states a padding. */
export function isPaddingSetting(value: unknown): value is PaddingSetting {
  if (isPaddingWord(value)) return true;
  if (typeof value !== 'object' || value === null) return false;
  const isSize = (size: unknown) => Number.isSafeInteger(size) && (size as number) >= 0;
  if (Array.isArray(value)) return value.length === 2 && value.every(isSize);
  const sizes = value as Readonly<Record<string, unknown>>;
  return Object.keys(sizes).length === SIDES.length && SIDES.every((side) => isSize(sizes[side]));
}

const isPaddingWord = (value: unknown): value is PaddingWord => PADDING_WORDS.some((word) => word === value);

/** A window that moves along rows or columns. */
export interface Extent {
  /** Rows or columns of the image. */
  size: number;
  filter: number;
  stride: number;
  dilation: number;
}

/** Kernels count pixels with 32 bits, and those left of an image or above it are negative. */
const MOST_PIXELS = 2 ** 30;

/** What kernels cannot count, for a message; undefined if they can count everything. */
export function uncountable(
  { size, stride, dilation }: Extent,
  before: number,
  after: number,
): string | undefined {
  const found = { 'a stride': stride, 'a dilation': dilation, 'a padded image': size + before + after };
  const wrong = Object.entries(found).find(([, pixels]) => pixels > MOST_PIXELS);
  return wrong && `expected at most ${MOST_PIXELS} pixels, found ${wrong[0]} of ${wrong[1]}`;
}

/** Rows or columns that a window covers. */
export const reachOf = ({ filter, dilation }: Extent): number => dilation * (filter - 1) + 1;

/** @param setting one that `isPaddingSetting` accepts */
export function resolvePadding(setting: PaddingSetting, vertical: Extent, horizontal: Extent): Padding {
  if (setting === 'valid') return { top: 0, bottom: 0, left: 0, right: 0 };
  if (setting === 'same') {
    const [top, bottom] = sameSides(vertical);
    const [left, right] = sameSides(horizontal);
    return { top, bottom, left, right };
  }
  if ('top' in setting) {
    const { top, bottom, left, right } = setting;
    return { top, bottom, left, right };
  }
  return { top: setting[0], bottom: setting[0], left: setting[1], right: setting[1] };
}

function sameSides(extent: Extent): [before: number, after: number] {
  const { size, stride } = extent;
  const outputs = Math.ceil(size / stride);
  const all = Math.max(0, (outputs - 1) * stride + reachOf(extent) - size);
  return [Math.floor(all / 2), Math.ceil(all / 2)];
}

/** [vertical, horizontal] if opposite sides are equal; otherwise undefined. */
export const paddingPair = ({ top, bottom, left, right }: Padding): [number, number] | undefined =>
  top === bottom && left === right ? [top, left] : undefined;

/** "1", "1x2", "0,1,0,1" (top, bottom, left, right), "same" or "valid". */
export function showPadding(setting: PaddingSetting): string {
  if (typeof setting === 'string') return setting;
  if (!('top' in setting)) return setting[0] === setting[1] ? String(setting[0]) : setting.join('x');
  const pair = paddingPair(setting);
  return pair ? showPadding(pair) : SIDES.map((side) => setting[side]).join(',');
}

/** Reads what `showPadding` writes; a pair may have a comma, too. Undefined if it is not a padding. */
export function parsePadding(text: string): PaddingSetting | undefined {
  const word = PADDING_WORDS.find((one) => one === text.trim());
  if (word) return word;
  const parts = text.split(/[x×,]/).map((part) => part.trim());
  if (!parts.every((part) => /^\d{1,9}$/.test(part))) return undefined;
  const [top, bottom = top, left, right] = parts.map(Number);
  if (parts.length <= 2) return [top, bottom];
  return parts.length === 4 ? { top, bottom, left, right } : undefined;
}
