/** The layers that the tensors of a state dict are the parameters of. */
import { Failure } from '../../base/result.ts';
import { showShape, type Shape } from '../../base/shape.ts';
import type { StateDict } from '../../engine/parameters.ts';

export interface TorchModule {
  /** "layer1.0.conv1" */
  name: string;
  kind: 'conv' | 'linear' | 'batch_norm';
  /** Of its weight. */
  shape: Shape;
  bias: boolean;
}

/** Why the layers do not follow from names and shapes. */
export const undetermined = (why: string): Failure => new Failure('bad-input', why);

/** What networks are that are no row of convolutions and fully connected layers. */
const OTHER_NETWORKS =
  /shortcut|skip|residual|branch|inception|dense_?block|denselayer|fire\d|decoder|deconv|transpose|attn|attention|embed|lstm|gru|rnn|transformer|generator|discriminator|actor|critic/i;

const OWN = new Set(['weight', 'bias', 'running_mean', 'running_var', 'num_batches_tracked']);
const KINDS = new Map<number, TorchModule['kind']>([
  [4, 'conv'],
  [2, 'linear'],
]);

/** What is read of a file, for messages. */
const READ =
  'only convolutions, fully connected layers and batch norms, with PyTorch’s names, can be inferred';

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
  const kind = group.has('running_mean') ? 'batch_norm' : KINDS.get(shape.length);
  if (kind === undefined || shape.some((size) => size < 1))
    throw undetermined(`“${short(name)}” ${candidatesOf(shape, bias)}; ${READ}`);
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

/** What else a layer may be, by its weight and bias. */
function candidatesOf(shape: Shape, bias: Shape | undefined): string {
  const [size] = shape;
  if (shape.length === 0) return 'has no weight, or a weight of one value without dimensions';
  if (shape.length > 1 || size < 1) return `has a weight of shape ${showShape(shape)}`;
  const values = size === 1 ? '1 value' : `${size} values`;
  return bias
    ? `has a weight and a bias of ${values} and no statistics: a group, instance or layer norm, or a batch norm that keeps none`
    : `has a weight of ${values} and no bias: probably a PReLU`;
}

/** Refuses names of networks that have other connections than from layer to layer. @throws Failure `bad-input` */
export function requireRow(modules: readonly TorchModule[]): void {
  const other = modules.find(({ name }) => OTHER_NETWORKS.test(name));
  if (other)
    throw undetermined(
      `by its name, “${short(other.name)}” belongs to a network with branches or shortcuts; expected layers that follow one another`,
    );
  for (const place of new Set(modules.flatMap(({ name }) => placesOf(name)))) {
    const inside = modules.filter(({ name, kind }) => name.startsWith(`${place}.`) && kind !== 'batch_norm');
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
