/** The order in which the layers of a state dict run, one after the other. */
import { isNorm, isWeighted, short, undetermined, type TorchModule } from './modules.ts';

/** A convolution or fully connected layer, with its norm and the slopes of a PReLU after it. */
export interface Step {
  module: TorchModule;
  norm?: TorchModule;
  slopes?: TorchModule;
  /** Whether nn.Sequential's numbers leave room for an activation before the norm. */
  isNormLast?: boolean;
  groups: number;
  /** Layers between it and the next one that are no norm, where nn.Sequential's numbers say so. */
  between?: number;
}

const natural = new Intl.Collator('en', { numeric: true });

/**
 * Layers in the order in which each reads what the one before it writes: that of the file, which is the one in which
 * PyTorch's modules were made, unless the file was sorted by names; then by the numbers in them.
 * @throws Failure `bad-input` if they form no row
 */
export function rowOf(modules: readonly TorchModule[]): Step[] {
  const byName = modules.toSorted((a, b) => natural.compare(a.name, b.name));
  const sorted = modules.every(({ name }, i) => i === 0 || modules[i - 1].name < name);
  const orders = sorted ? [byName, modules] : [modules, byName];
  const found = orders.map(stepsIn);
  const row = found.find((one) => Array.isArray(one));
  if (row) return row;
  throw undetermined(found[0] as string);
}

/** @returns why they form no row */
function stepsIn(modules: readonly TorchModule[]): Step[] | string {
  const weighted = modules.filter(isWeighted);
  if (weighted.length === 0) return 'expected a convolution or a fully connected layer, found none';
  const norms = normsOf(
    modules.filter(({ kind }) => kind !== 'prelu'),
    weighted,
  );
  if (typeof norms === 'string') return norms;
  const slopes = slopesOf(
    modules.filter(({ kind }) => kind === 'prelu'),
    weighted.slice(0, -1),
  );
  if (typeof slopes === 'string') return slopes;
  const steps: Step[] = [];
  for (const [i, module] of weighted.entries()) {
    const before = steps.at(-1)?.module;
    if (before?.kind === 'linear' && module.kind === 'conv')
      return `“${short(module.name)}” is a convolution after the fully connected layer “${short(before.name)}”; expected convolutions first`;
    const groups = before ? groupsAfter(before, module) : 1;
    if (groups === undefined)
      return (
        `“${short(module.name)}” reads ${module.shape[1]} values or channels, ` +
        `but “${short(before?.name ?? '')}” before it has ${before?.shape[0]} outputs`
      );
    const norm = norms.get(module);
    const next = weighted[i + 1] as TorchModule | undefined;
    const own = slopes.get(module);
    const early = norm ? (gap(module, norm) ?? 0) : 0;
    if (early > 1)
      return `there are ${early} layers between “${short(module.name)}” and the norm “${short(norm?.name ?? '')}”; expected at most an activation`;
    const between = next && gap(norm ?? module, next);
    steps.push({
      module,
      groups,
      ...(norm ? { norm } : {}),
      ...(own ? { slopes: own } : {}),
      ...(early > 0 ? { isNormLast: true } : {}),
      ...(between === undefined ? {} : { between: between + early }),
    });
  }
  return steps;
}

/** How many groups of channels a layer has that reads another one; undefined if it cannot read it. */
function groupsAfter({ kind, shape: [written] }: TorchModule, next: TorchModule): number | undefined {
  const [outputs, read] = next.shape;
  // What a Flatten makes of a convolution's output is examined with the sizes.
  if (kind === 'conv' && next.kind === 'linear') return read % written === 0 ? 1 : undefined;
  if (read === written) return 1;
  const isDepthwise = next.kind === 'conv' && read === 1 && outputs % written === 0;
  return isDepthwise ? written : undefined;
}

/** Each norm with the layer before it: the one right before it in the file, or the one of the same number. */
function normsOf(
  modules: readonly TorchModule[],
  weighted: readonly TorchModule[],
): Map<TorchModule, TorchModule> | string {
  const norms = modules.filter(isNorm);
  const adjacent = norms.map((norm) => modules[modules.indexOf(norm) - 1] as TorchModule | undefined);
  const digits = ({ name }: TorchModule) => /\d+(?=\D*$)/.exec(name)?.[0];
  const numbered = norms.map((norm) =>
    weighted.find(
      (one) => digits(one) !== undefined && digits(one) === digits(norm) && one.kind === kindOf(one, norm),
    ),
  );
  const inOrder = norms.map((_, i) => weighted[i] as TorchModule | undefined);
  for (const layers of [adjacent, numbered, inOrder]) {
    const fits = layers.every(
      (layer, i) =>
        layer !== undefined &&
        isWeighted(layer) &&
        layer.shape[0] === norms[i].shape[0] &&
        layers.indexOf(layer) === i,
    );
    if (fits) return new Map(layers.map((layer, i) => [layer as TorchModule, norms[i]]));
  }
  return `the norm “${short(norms[0].name)}” has ${norms[0].shape[0]} channels; expected a layer of as many before it`;
}

/** Each layer with the PReLU after it. Where there is only one, with one value, all share it, unless it has a place in nn.Sequential. */
function slopesOf(
  prelus: readonly TorchModule[],
  hidden: readonly TorchModule[],
): Map<TorchModule, TorchModule> | string {
  const [first] = prelus;
  if (first === undefined) return new Map();
  const isShared = prelus.length === 1 && !/(^|\.)\d+$/.test(first.name);
  const pairs = hidden.map((layer, i) => [layer, isShared ? first : prelus[i]] as const);
  const fits = ([layer, prelu]: (typeof pairs)[number]) =>
    prelu !== undefined && [1, layer.shape[0]].includes(prelu.shape[0]);
  if ((isShared || prelus.length === hidden.length) && pairs.every(fits)) return new Map(pairs);
  return (
    `“${short(first.name)}” has ${first.shape[0] === 1 ? '1 value' : `${first.shape[0]} values`}, probably the slopes of a PReLU; expected one PReLU for each of ` +
    `${hidden.length} layers before the last, with 1 value or as many as the layer has outputs, or one with 1 value for all`
  );
}

/** Norms of fully connected layers have "fc" in their names, where there are two of one number. */
const kindOf = (layer: TorchModule, norm: TorchModule): TorchModule['kind'] =>
  /fc|lin|dense/i.test(norm.name) ? 'linear' : layer.kind;

/** Layers without parameters between two of one nn.Sequential. */
function gap(from: TorchModule, to: TorchModule): number | undefined {
  const [, container, at] = /^(.*?)(\d+)$/.exec(from.name) ?? [];
  const [, other, next] = /^(.*?)(\d+)$/.exec(to.name) ?? [];
  const isSequential = container !== undefined && (container === '' || container.endsWith('.'));
  return isSequential && container === other ? Math.max(0, Number(next) - Number(at) - 1) : undefined;
}
