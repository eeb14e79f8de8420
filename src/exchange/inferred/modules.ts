/** The layers that the tensors of a state dict are the parameters of. */
import { Failure } from '../../base/result.ts';
import { showShape, type Shape } from '../../base/shape.ts';
import type { StateDict } from '../../engine/parameters.ts';

export interface TorchModule {
  /** "layer1.0.conv1" */
  name: string;
  kind: 'conv' | 'linear' | 'batch_norm' | 'group_norm' | 'prelu';
  /** Of its weight. */
  shape: Shape;
  bias: boolean;
}

export const isNorm = ({ kind }: TorchModule): boolean => kind === 'batch_norm' || kind === 'group_norm';
export const isWeighted = ({ kind }: TorchModule): boolean => kind === 'conv' || kind === 'linear';

/** Why the layers do not follow from names and shapes. */
export const undetermined = (why: string): Failure => new Failure('bad-input', why);

/** What networks are that are no row of convolutions and fully connected layers. */
const OTHER_NETWORKS =
  /shortcut|skip|residual|branch|inception|dense_?block|denselayer|fire\d|decoder|deconv|transpose|attn|attention|embed|lstm|gru|rnn|transformer|generator|discriminator|actor|critic/i;

const OWN = new Set(['weight', 'bias', 'running_mean', 'running_var', 'num_batches_tracked']);
/** By the sizes of the weight. Of a norm without statistics, the groups are assumed. */
const kindOf = ({ length }: Shape, hasBias: boolean): TorchModule['kind'] | undefined =>
  length === 4
    ? 'conv'
    : length === 2
      ? 'linear'
      : length === 1
        ? hasBias
          ? 'group_norm'
          : 'prelu'
        : undefined;

/** What is read of a file, for messages. */
const READ =
  'only convolutions, fully connected layers, norms and PReLU, with PyTorch’s names, can be inferred';

/** @throws Failure `bad-input` with the first tensor that is part of no layer here */
export function modulesOf(tensors: StateDict): TorchModule[] {
  const groups = new Map<string, Map<string, Shape>>();
  for (const [name, { shape }] of tensors) {
    const dot = name.lastIndexOf('.');
    const own = name.slice(dot + 1);
    if (!OWN.has(own) || dot < 1)
      throw undetermined(
        `“${short(name)}”${dot < 1 ? ' belongs to no layer' : ' is a parameter of another kind of layer'}; ${READ}`,
      );
    const group = groups.get(name.slice(0, dot)) ?? new Map<string, Shape>();
    groups.set(name.slice(0, dot), group.set(own, shape));
  }
  return [...groups].map(([name, group]) => moduleOf(name, group));
}

const found = (shape: Shape | undefined): string =>
  shape ? `has the shape ${showShape(shape)}` : 'is missing';

function moduleOf(name: string, group: ReadonlyMap<string, Shape>): TorchModule {
  const shape = group.get('weight') ?? [];
  const bias = group.get('bias');
  const [outputs] = shape;
  const kind = group.has('running_mean') ? 'batch_norm' : kindOf(shape, bias !== undefined);
  if (kind === undefined || shape.some((size) => size < 1))
    throw undetermined(
      `“${short(name)}” ${shape.length === 0 ? 'has no weight, or a weight of one value without dimensions' : `has a weight of shape ${showShape(shape)}`}; ${READ}`,
    );
  const ofChannels = kind === 'batch_norm' ? ['bias', 'running_mean', 'running_var'] : bias ? ['bias'] : [];
  for (const own of ofChannels)
    if (group.get(own)?.join() !== `${outputs}` || (kind === 'batch_norm' && shape.length !== 1))
      throw undetermined(
        `“${short(name)}.${own}” ${found(group.get(own))}; expected ${outputs} values, as “${short(name)}.weight” ${found(shape)}`,
      );
  if (kind !== 'batch_norm' && group.has('running_var'))
    throw undetermined(
      `“${short(name)}.running_var” is there without “running_mean”; expected both, as a batch norm has them`,
    );
  return { name, kind, shape, bias: bias !== undefined };
}

/** Refuses names of networks that have other connections than from layer to layer. @throws Failure `bad-input` */
export function requireRow(modules: readonly TorchModule[]): void {
  const other = modules.find(({ name }) => OTHER_NETWORKS.test(name));
  if (other)
    throw undetermined(
      `by its name, “${short(other.name)}” belongs to a network with branches or shortcuts; expected layers that follow one another`,
    );
  for (const place of new Set(modules.flatMap(({ name }) => placesOf(name)))) {
    const inside = modules.filter((module) => module.name.startsWith(`${place}.`) && isWeighted(module));
    const [first, last] = [inside[0], inside[inside.length - 1]];
    const isOwnClass = modules.some(
      ({ name }) => name.startsWith(`${place}.`) && !/^\d+(\.|$)/.test(name.slice(place.length + 1)),
    );
    // x + f(x) is possible in a module of its own class; nn.Sequential, whose parts have numbers, has none.
    if (isOwnClass && inside.length > 1 && first.shape[1] === last.shape[0])
      throw undetermined(
        `“${short(place)}” may add its input to its output, which names and shapes do not show`,
      );
    if (/(^|\.)res(net)?[-_]?\w?\d*$/i.test(place))
      throw undetermined(
        `“${short(place)}” is a residual block by its name; expected torchvision’s names, such as layer1.0.conv1`,
      );
  }
}

/** "a.b.conv" is in "a" and in "a.b". */
function placesOf(name: string): string[] {
  const parts = name.split('.');
  return parts.slice(0, -1).map((_, i) => parts.slice(0, i + 1).join('.'));
}

export const short = (name: string): string => name.slice(0, 60);
