/** Receptive fields: which values of every layer before it a value depends on. */
import { mirrored } from '../../base/mirrored.ts';
import type { ReadPattern } from '../../ops/about.ts';
import type { LookLayer } from '../../worker/api.ts';

/** A value of a layer's output. */
export interface ValuePosition {
  layer: string;
  k: number;
  p: number;
  q: number;
}

/** A box of values: channels, rows and columns, each from the first to before the end. A vector has one row and column. */
export interface ValueBox {
  channels: Span;
  rows: Span;
  columns: Span;
}

export type Span = readonly [from: number, end: number];

/** Of [C, H, W] or [C]. */
function sizesOf({ shape: [C, H = 1, W = 1] }: Pick<LookLayer, 'shape'>): readonly [number, number, number] {
  return [C, H, W];
}

/** The box around one value. */
export const boxOf = ({ k, p, q }: ValuePosition): ValueBox => ({
  channels: [k, k + 1],
  rows: [p, p + 1],
  columns: [q, q + 1],
});

/** Everything that a layer outputs. */
export function wholeOf(layer: Pick<LookLayer, 'shape'>): ValueBox {
  const [C, H, W] = sizesOf(layer);
  return { channels: [0, C], rows: [0, H], columns: [0, W] };
}

/**
 * The values of every earlier layer that some values of a layer depend on, by layer: the smallest boxes around them.
 * The layer itself is included.
 */
export function receptiveField(
  layers: readonly LookLayer[],
  name: string,
  box: ValueBox,
): Map<string, ValueBox> {
  const found = new Map<string, ValueBox>([[name, box]]);
  const known = new Map(layers.map((layer) => [layer.name, layer]));
  for (const layer of layers.toReversed()) {
    const wanted = found.get(layer.name);
    if (!wanted) continue;
    layer.takes.forEach((taken, i) => {
      const source = known.get(taken);
      if (!source) return;
      const before = layer.takes
        .slice(0, i)
        .reduce((sum, other) => sum + (known.get(other)?.shape[0] ?? 0), 0);
      const read = readBox(layer, source, wanted, before);
      if (!read) return;
      const already = found.get(taken);
      found.set(taken, already ? union(already, read) : read);
    });
  }
  return found;
}

/** What of one input a box of outputs reads. @param before channels of the inputs before this one, where they join */
function readBox(layer: LookLayer, source: LookLayer, box: ValueBox, before: number): ValueBox | undefined {
  const { reads } = layer;
  const [C, H, W] = sizesOf(source);
  const [K, P, Q] = sizesOf(layer);
  switch (reads.kind) {
    case 'same':
      return box;
    case 'all':
      return wholeOf(source);
    case 'window':
      return {
        channels: reads.groups === undefined ? box.channels : groupsOf(box.channels, K, C, reads.groups),
        rows: windowOf(box.rows, reads, 0, H),
        columns: windowOf(box.columns, reads, 1, W),
      };
    case 'border': {
      const [rows, columns] = [borderOf(box.rows, reads, 0, H), borderOf(box.columns, reads, 1, W)];
      return rows && columns && { channels: box.channels, rows, columns };
    }
    case 'adaptive':
      return { channels: box.channels, rows: shareOf(box.rows, P, H), columns: shareOf(box.columns, Q, W) };
    case 'pieces': {
      const [from, end] = box.channels;
      return { ...box, channels: [from * reads.pieces, end * reads.pieces] };
    }
    case 'planes':
      return { ...wholeOf(source), channels: groupsOf(box.channels, K, C, reads.groups) };
    case 'concat': {
      const from = Math.max(0, box.channels[0] - before);
      const end = Math.min(C, box.channels[1] - before);
      return from < end ? { ...box, channels: [from, end] } : undefined;
    }
    case 'flatten': {
      const [from, end] = box.channels;
      const plane = H * W;
      const [first, last] = [Math.floor(from / plane), Math.floor((end - 1) / plane)];
      if (first !== last) return { channels: [first, last + 1], rows: [0, H], columns: [0, W] };
      const [top, bottom] = [Math.floor((from % plane) / W), Math.floor(((end - 1) % plane) / W)];
      const columns: Span = top === bottom ? [from % W, ((end - 1) % W) + 1] : [0, W];
      return { channels: [first, first + 1], rows: [top, bottom + 1], columns };
    }
  }
}

function windowOf(
  [from, end]: Span,
  { size, stride, start, dilation }: Extract<ReadPattern, { kind: 'window' }>,
  axis: 0 | 1,
  most: number,
): Span {
  const first = from * stride[axis] + start[axis];
  const last = (end - 1) * stride[axis] + start[axis] + (size[axis] - 1) * dilation[axis];
  return [Math.max(0, Math.min(most - 1, first)), Math.max(1, Math.min(most, last + 1))];
}

/** Undefined if they are all in a border that reads nothing. */
function borderOf(
  [from, end]: Span,
  { start, mirrors }: Extract<ReadPattern, { kind: 'border' }>,
  axis: 0 | 1,
  size: number,
): Span | undefined {
  const places = Array.from({ length: end - from }, (_, i) => from + i + start[axis])
    .map((place) => (mirrors ? mirrored(place, size) : place))
    .filter((place) => place >= 0 && place < size);
  return places.length > 0 ? [Math.min(...places), Math.max(...places) + 1] : undefined;
}

const shareOf = ([from, end]: Span, count: number, size: number): Span => [
  Math.floor((from * size) / count),
  Math.ceil((end * size) / count),
];

function groupsOf([from, end]: Span, K: number, C: number, groups: number): Span {
  const first = Math.floor(from / (K / groups));
  const last = Math.floor((end - 1) / (K / groups));
  return [first * (C / groups), (last + 1) * (C / groups)];
}

const unionSpan = (a: Span, b: Span): Span => [Math.min(a[0], b[0]), Math.max(a[1], b[1])];

const union = (a: ValueBox, b: ValueBox): ValueBox => ({
  channels: unionSpan(a.channels, b.channels),
  rows: unionSpan(a.rows, b.rows),
  columns: unionSpan(a.columns, b.columns),
});
