/** Which values of its inputs a value of a layer's output reads. Inspect's arithmetic and receptive fields follow from it. */
import { mirrored } from '../base/mirrored.ts';
import type { Pair, Shape } from '../base/shape.ts';

/**
 * `same`: those at its own place. `window`: those under a window that moves, of its own channel, or with `groups` of
 * its group of channels. `adaptive`: those of its share of the plane. `all`: every one. `flatten`: the one that moved
 * there. `concat`: the one of the input that the channel comes from. `pieces`: those of consecutive channels. `planes`: all of
 * its group of channels. `border`: that at its own place in the input, at most: those around it are none, or with `mirrors`
 * those inside.
 */
export type ReadPattern =
  | { kind: 'same' | 'adaptive' | 'all' | 'flatten' | 'concat' }
  | { kind: 'window'; size: Pair; stride: Pair; start: Pair; dilation: Pair; groups?: number }
  | { kind: 'pieces'; pieces: number }
  | { kind: 'planes'; groups: number }
  | { kind: 'border'; start: Pair; mirrors: boolean };

export type Span = readonly [from: number, end: number];

/** A box of values: channels, rows and columns, each from the first to before the end. A vector has one row and column. */
export interface ValueBox {
  channels: Span;
  rows: Span;
  columns: Span;
}

/** A layer with one of its inputs, as [channels, rows, columns]. */
interface Sizes {
  input: readonly [number, number, number];
  output: readonly [number, number, number];
  /** Channels of the inputs before this one, where they join. */
  before: number;
}

/** What of an input a box of outputs reads: the smallest box around it. Undefined if nothing. */
type Reads<Pattern> = (pattern: Pattern, box: ValueBox, sizes: Sizes) => ValueBox | undefined;

const PATTERNS: {
  [Kind in ReadPattern['kind']]: Reads<Omit<Extract<ReadPattern, { kind: Kind }>, 'kind'>>;
} = {
  same: (_, box) => box,

  all: (_, __, { input }) => wholeOf(input),

  window: (window, { channels, rows, columns }, { input: [C, H, W], output: [K] }) => ({
    channels: window.groups === undefined ? channels : groupsOf(channels, K, C, window.groups),
    rows: windowOf(rows, window, 0, H),
    columns: windowOf(columns, window, 1, W),
  }),

  border({ start, mirrors }, box, { input: [, H, W] }) {
    const rows = borderOf(box.rows, start[0], mirrors, H);
    const columns = borderOf(box.columns, start[1], mirrors, W);
    return rows && columns && { channels: box.channels, rows, columns };
  },

  adaptive: (_, { channels, rows, columns }, { input: [, H, W], output: [, P, Q] }) => ({
    channels,
    rows: shareOf(rows, P, H),
    columns: shareOf(columns, Q, W),
  }),

  pieces: ({ pieces }, { channels: [from, end], ...place }) => ({
    ...place,
    channels: [from * pieces, end * pieces],
  }),

  planes: ({ groups }, { channels }, { input, output: [K] }) => ({
    ...wholeOf(input),
    channels: groupsOf(channels, K, input[0], groups),
  }),

  concat(_, box, { input: [C], before }) {
    const from = Math.max(0, box.channels[0] - before);
    const end = Math.min(C, box.channels[1] - before);
    return from < end ? { ...box, channels: [from, end] } : undefined;
  },

  flatten(_, { channels: [from, end] }, { input: [, H, W] }) {
    const plane = H * W;
    const [first, last] = [Math.floor(from / plane), Math.floor((end - 1) / plane)];
    if (first !== last) return { channels: [first, last + 1], rows: [0, H], columns: [0, W] };
    const [top, bottom] = [Math.floor((from % plane) / W), Math.floor(((end - 1) % plane) / W)];
    const columns: Span = top === bottom ? [from % W, ((end - 1) % W) + 1] : [0, W];
    return { channels: [first, first + 1], rows: [top, bottom + 1], columns };
  },
};

/** Of [C, H, W] or [C]. */
const sizesOf = ([C, H = 1, W = 1]: Shape) => [C, H, W] as const;

/** Everything that a layer outputs. @param shape [C, H, W] or [C] */
export function wholeOf(shape: Shape): ValueBox {
  const [C, H, W] = sizesOf(shape);
  return { channels: [0, C], rows: [0, H], columns: [0, W] };
}

/** The box around one value. */
export const boxOf = ({ k, p, q }: { k: number; p: number; q: number }): ValueBox => ({
  channels: [k, k + 1],
  rows: [p, p + 1],
  columns: [q, q + 1],
});

/**
 * What of one of its inputs a box of a layer's outputs reads: the smallest box around it. Undefined if nothing.
 * @param inputs the shapes of all inputs, for one image
 * @param i which of them
 */
export function readBox(
  pattern: ReadPattern,
  box: ValueBox,
  inputs: readonly Shape[],
  i: number,
  output: Shape,
): ValueBox | undefined {
  const before = inputs.slice(0, i).reduce((sum, [channels = 0]) => sum + channels, 0);
  const sizes = { input: sizesOf(inputs[i]), output: sizesOf(output), before };
  return (PATTERNS[pattern.kind] as Reads<ReadPattern>)(pattern, box, sizes);
}

/** The places of an input that one output reads, in their order: [channel, row, column]. */
export function readPlaces(...[pattern, ...given]: Parameters<typeof readBox>) {
  const box = readBox(pattern, ...given);
  if (!box) return [];
  const [down, across] = pattern.kind === 'window' ? pattern.dilation : [1, 1];
  const places = ([from, end]: Span, step = 1) =>
    Array.from({ length: Math.ceil((end - from) / step) }, (_, n) => from + n * step);
  return places(box.channels).flatMap((c) =>
    places(box.rows, down).flatMap((h) => places(box.columns, across).map((w) => [c, h, w] as const)),
  );
}

/** Of one window, from its first place inside the image. */
function windowOf(
  [from, end]: Span,
  { size, stride, start, dilation }: Omit<Extract<ReadPattern, { kind: 'window' }>, 'kind'>,
  axis: 0 | 1,
  most: number,
): Span {
  const before = from * stride[axis] + start[axis];
  const outside = end - from === 1 ? Math.ceil(-before / dilation[axis]) * dilation[axis] : -before;
  const first = before + Math.max(0, outside);
  const last = (end - 1) * stride[axis] + start[axis] + (size[axis] - 1) * dilation[axis];
  return [Math.min(most - 1, first), Math.max(1, Math.min(most, last + 1))];
}

/** Undefined if they are all in a border that reads nothing. */
function borderOf([from, end]: Span, start: number, mirrors: boolean, size: number): Span | undefined {
  const places = Array.from({ length: end - from }, (_, i) => from + i + start)
    .map((place) => (mirrors ? mirrored(place, size) : place))
    .filter((place) => place >= 0 && place < size);
  return places.length > 0 ? [Math.min(...places), Math.max(...places) + 1] : undefined;
}

/** Windows of adaptive pooling divide a line among them. */
const shareOf = ([from, end]: Span, count: number, size: number): Span => [
  Math.floor((from * size) / count),
  Math.ceil((end * size) / count),
];

function groupsOf([from, end]: Span, K: number, C: number, groups: number): Span {
  const first = Math.floor(from / (K / groups));
  const last = Math.floor((end - 1) / (K / groups));
  return [first * (C / groups), (last + 1) * (C / groups)];
}
