/** Receptive fields: which values of every layer before it a value depends on. */
import { readBox, type Span, type ValueBox } from '../../ops/reads.ts';
import type { LookLayer } from '../../worker/api.ts';

/** A value of a layer's output. */
export interface ValuePosition {
  layer: string;
  k: number;
  p: number;
  q: number;
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
    const shapes = layer.takes.map((taken) => known.get(taken)?.shape ?? []);
    layer.takes.forEach((taken, i) => {
      const read = known.has(taken) && readBox(layer.reads, wanted, shapes, i, layer.shape);
      if (!read) return;
      const already = found.get(taken);
      found.set(taken, already ? union(already, read) : read);
    });
  }
  return found;
}

const unionSpan = (a: Span, b: Span): Span => [Math.min(a[0], b[0]), Math.max(a[1], b[1])];

const union = (a: ValueBox, b: ValueBox): ValueBox => ({
  channels: unionSpan(a.channels, b.channels),
  rows: unionSpan(a.rows, b.rows),
  columns: unionSpan(a.columns, b.columns),
});
