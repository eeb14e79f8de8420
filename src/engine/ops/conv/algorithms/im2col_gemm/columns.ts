/** Cuts the columns of im2col into pieces that fit the workspace. */
import type { ConvSetting } from '../../algorithm.ts';

/** With more pieces, dispatches would cost too much. */
const MAX_PIECES = 1024;

/**
 * Columns that exist at the same time: of whole images, or of a part of one. Parts are ranges of output pixels if
 * columns are made from x, and ranges of each group's channels if dx is made from columns.
 */
export interface Piece {
  firstImage: number;
  images: number;
  /** The first pixel or channel. */
  first: number;
  /** Pixels or channels. */
  count: number;
}

export interface Columns {
  /** Values of the largest piece. */
  numbers: number;
  /** The most pixels or channels per image of a piece. */
  part: number;
  pieces: Piece[];
}

/** The columns of x [N, C * R * S, P * Q], in x's type. Undefined if no cut with few enough pieces fits `bytes`. */
export function inputColumns(setting: ConvSetting, bytes: number): Columns | undefined {
  const { C, R, S, P, Q } = setting.problem;
  const column = C * R * S;
  const most = room(setting, bytes) / ((setting.number === 'f16' ? 2 : 4) * column);
  // Parts are multiples of four: matrix multiplications load pixels as vectors of four.
  return cut(
    setting,
    column,
    P * Q,
    most,
    (limit) => Math.min(Math.ceil(evenPart(P * Q, limit) / 4), Math.floor(limit / 4)) * 4,
  );
}

/** The columns of dx, in float32 because they are sums. Undefined if no cut with few enough pieces fits `bytes`. */
export function gradientColumns(setting: ConvSetting, bytes: number): Columns | undefined {
  const { C, R, S, P, Q, groups } = setting.problem;
  const channel = groups * R * S * P * Q;
  const most = room(setting, bytes) / (4 * channel);
  // Parts of equal size, so that one kernel serves them all.
  return cut(setting, channel, C / groups, most, (limit) => largestDivisor(C / groups, limit));
}

/**
 * Cuts between images, or within them if one is too large.
 * @param numbers values per pixel or channel
 * @param length pixels or channels per image
 * @param most pixels or channels that fit
 * @param partOf the size of parts if only `limit` of an image fit; 0 if there is no cut
 */
function cut(
  { problem: { N } }: ConvSetting,
  numbers: number,
  length: number,
  most: number,
  partOf: (limit: number) => number,
): Columns | undefined {
  const images = most >= length ? evenPart(N, Math.floor(most / length)) : 1;
  const part = most >= length ? length : most < 1 ? 0 : partOf(Math.floor(most));
  if (part === 0 || Math.ceil(N / images) * Math.ceil(length / part) > MAX_PIECES) return undefined;
  const pieces = ranges(N, images).flatMap((some) =>
    ranges(length, part).map((range) => ({ firstImage: some.first, images: some.count, ...range })),
  );
  return { numbers: images * part * numbers, part, pieces };
}

/** Bytes that a piece may have. */
const room = ({ device }: ConvSetting, bytes: number): number =>
  Math.min(bytes, device.limit('maxStorageBufferBindingSize'), device.limit('maxBufferSize'));

const ranges = (length: number, part: number): { first: number; count: number }[] =>
  Array.from({ length: Math.ceil(length / part) }, (_, i) => ({
    first: i * part,
    count: Math.min(part, length - i * part),
  }));

/** The size of parts if `length` is cut into as few as possible, all about equal and at most `limit`. */
const evenPart = (length: number, limit: number): number =>
  Math.ceil(length / Math.ceil(length / Math.min(length, limit)));

function largestDivisor(length: number, limit: number): number {
  let divisor = Math.min(length, limit);
  while (length % divisor !== 0) divisor--;
  return divisor;
}
