/** Weights for a model that they only partly fit: what is taken of them, and what is made new. */
import { Failure } from '../../base/result.ts';
import { sameShape, showShape, type Shape } from '../../base/shape.ts';
import { initialize, type WeightsInit } from '../../engine/init.ts';
import { inferShapes, layoutParameters } from '../../engine/network.ts';
import type { StateDict } from '../../engine/parameters.ts';
import type { Model } from '../model.ts';

/** A tensor by its state_dict name. */
export interface MatchRow {
  name: string;
  /** In the model; absent if it has no such tensor. */
  shape?: Shape;
  /** In the weights; absent if they have no such tensor. */
  found?: Shape;
  status: 'taken' | 'other shape' | 'missing' | 'not in the model';
}

export interface Matched {
  /** The model's tensors in its order, then those that only the weights have. */
  rows: readonly MatchRow[];
  /** Parameters and buffers of the whole model. */
  parameters: StateDict;
}

/** How new tensors are made. */
interface Fresh {
  seed: number;
  /** Default: the model's. */
  weightsInit?: WeightsInit | undefined;
}

/**
 * Takes every tensor that agrees in name and shape. The others are made as in a run of that seed that starts from random
 * weights: the last layer, if there are other classes.
 * @param what the weights, for messages: "the weights of brave-otter-1"
 * @param model fitted to the images
 * @throws Failure `bad-input` if fewer than half of the model's parameters agree: then they are another network's
 */
export function matchWeights(
  what: string,
  model: Model,
  weights: StateDict,
  { seed, weightsInit = model.weightsInit }: Fresh,
): Matched {
  const layout = layoutParameters(inferShapes(model.layers, [1, ...model.input]));
  const parameters = new Map<string, { shape: Shape; data: Float32Array }>();
  const byName = new Map<string, MatchRow>();
  const rowOf = ({ name, shape }: { name: string; shape: Shape }): MatchRow => {
    const there = weights.get(name);
    if (!there) return { name, shape, status: 'missing' };
    return {
      name,
      shape,
      found: there.shape,
      status: sameShape(there.shape, shape) ? 'taken' : 'other shape',
    };
  };
  // First, since initial values take memory.
  requireAgreement(what, model, layout.entries.map(rowOf));
  const match = (entry: { name: string; shape: Shape }, fresh: () => Float32Array): MatchRow => {
    const row = rowOf(entry);
    const there = row.status === 'taken' ? weights.get(entry.name) : undefined;
    parameters.set(entry.name, there ?? { shape: entry.shape, data: fresh() });
    byName.set(entry.name, row);
    return row;
  };
  for (const entry of layout.entries) {
    const spec = { ...entry, name: entry.name.slice(entry.layer.length + 1) };
    match(entry, () => initialize(seed, entry.name, spec, weightsInit));
  }
  for (const entry of layout.buffers.entries) {
    const { status } = match(entry, () => new Float32Array(entry.length).fill(entry.initial));
    // Older files lack counters, which nothing depends on.
    if (entry.optional && status === 'missing') byName.delete(entry.name);
  }
  const others = [...weights].filter(([name]) => !parameters.has(name));
  return {
    rows: [
      ...layout.names.flatMap((name) => byName.get(name) ?? []),
      ...others.map(([name, { shape }]): MatchRow => ({ name, found: shape, status: 'not in the model' })),
    ],
    parameters: new Map(layout.names.flatMap((name) => entryOf(parameters, name))),
  };
}

const entryOf = <T>(map: ReadonlyMap<string, T>, name: string): [string, T][] => {
  const value = map.get(name);
  return value === undefined ? [] : [[name, value]];
};

function requireAgreement(what: string, { title }: Model, rows: readonly MatchRow[]): void {
  const agreeing = rows.filter(({ status }) => status === 'taken').length;
  if (2 * agreeing >= rows.length) return;
  const [first] = rows.filter(({ status }) => status !== 'taken');
  const { name, shape = [], found } = first;
  throw new Failure(
    'bad-input',
    `${what}, which do not fit ${title}: ${agreeing} of ${rows.length} parameters agree in name and shape; ` +
      `"${name}" is ${showShape(shape)} in the model, ${found ? `${showShape(found)} in the weights` : 'missing in the weights'}`,
    'Choose the model that the weights belong to, or start from random weights.',
  );
}

/** Rows in one sentence: "98 of 100 tensors are loaded; new: fc.weight 3 x 64 (there 10 x 64), fc.bias 3 (there 10)". */
export function matchText(rows: readonly MatchRow[]): string {
  const own = rows.filter(({ status }) => status !== 'not in the model');
  const taken = own.filter(({ status }) => status === 'taken');
  const fresh = own
    .filter(({ status }) => status !== 'taken')
    .map(
      ({ name, shape = [], found }) =>
        `${name} ${showShape(shape)}${found ? ` (there ${showShape(found)})` : ''}`,
    );
  const unused = rows.filter(({ status }) => status === 'not in the model').map(({ name }) => name);
  return [
    `${taken.length} of ${own.length} tensors are loaded`,
    ...(fresh.length > 0 ? [`new: ${fresh.join(', ')}`] : []),
    ...(unused.length > 0 ? [`not used: ${unused.join(', ')}`] : []),
  ].join('; ');
}
