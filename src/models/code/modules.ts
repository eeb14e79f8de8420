/**
 * The modules that a list of layers forms by its dotted names: "layer1.0.conv1" is in "0", which is in "layer1". A
 * module with one input and one output can be a class of a program; others are only namespaces.
 */
import { Failure } from '../../base/result.ts';
import type { SourceLayer } from './source.ts';

export interface SourceModule {
  /** The part after the last dot of its name; empty for the network. */
  name: string;
  /** In the list's order. */
  children: Map<string, SourceModule>;
  /** The index of the layer of this name, if it has parameters: then it has no children. */
  layer?: number;
  /** All layers in it, in order. */
  layers: number[];
  closed: boolean;
  /** Each of its layers reads only the one before it. */
  chain: boolean;
}

/** @throws Failure('unsupported') if a layer with parameters has the name of a module */
export function moduleTree(layers: readonly SourceLayer[]): SourceModule {
  const root = emptyModule('');
  layers.forEach(({ name }, i) => {
    let module = root;
    root.layers.push(i);
    for (const part of name.split('.')) {
      const child: SourceModule = module.children.get(part) ?? emptyModule(part);
      module.children.set(part, child);
      child.layers.push(i);
      module = child;
    }
    module.layer = i;
  });
  settle(root, layers);
  root.closed = true;
  return root;
}

const emptyModule = (name: string): SourceModule => ({
  name,
  children: new Map(),
  layers: [],
  closed: false,
  chain: false,
});

function settle(module: SourceModule, all: readonly SourceLayer[]): void {
  const { layers, layer, children } = module;
  if (layer !== undefined && children.size > 0) {
    if (all[layer].keeps) {
      const { name } = all[layer];
      throw new Failure(
        'unsupported',
        `“${name}” has parameters, and so have layers inside it, such as “${name}.${[...children.keys()][0]}”`,
        'Give it another name.',
      );
    }
    // A layer with the module's own name, such as a join, is part of its computation.
    delete module.layer;
    children.set('', { ...emptyModule(''), layer, layers: [layer] });
  }
  const [first] = layers;
  const last = layers[layers.length - 1];
  const outside = new Set(layers.flatMap((i) => all[i].sources.filter((source) => source < first)));
  const leaks = all.some(
    ({ sources }, i) => i > last && sources.some((source) => source >= first && source < last),
  );
  module.closed = last - first + 1 === layers.length && outside.size === 1 && !leaks;
  module.chain =
    module.closed &&
    layers.every((i) => all[i].sources.length === 1 && (i === first || all[i].sources[0] === i - 1));
  for (const child of children.values()) settle(child, all);
}
