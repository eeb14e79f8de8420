/** Residual networks by torchvision's names: layer1.0.conv1, bn1, downsample.0, fc. */
import type { Pair, Shape } from '../../base/shape.ts';
import type { Draft } from '../draft.ts';
import { undetermined, short, type TorchModule } from './modules.ts';

const IN_BLOCK = /^(layer\d+\.\d+)\.(?:(?:conv|bn)\d|(?:downsample|shortcut)\.[01])$/;
const OUTSIDE = /^(?:conv1|bn1|fc|linear)$/;

/** Whether these are the names of such a network. */
export const isResidual = (modules: readonly TorchModule[]): boolean =>
  modules.some(({ name }) => name === 'conv1') &&
  modules.some(({ name }) => IN_BLOCK.test(name)) &&
  modules.every(({ name, kind }) => kind !== 'group_norm' && (IN_BLOCK.test(name) || OUTSIDE.test(name)));

/** [C, H, W]: filters of 7 x 7 are for large images. */
export function residualInput(modules: readonly TorchModule[]): number[] {
  const [, channels, R] = modules.find(({ name }) => name === 'conv1')?.shape ?? [];
  const side = R >= 7 ? 224 : channels === 1 ? 28 : 32;
  return [channels, side, side];
}

/** What such networks have in common and shapes do not show, for the person. */
export const RESIDUAL_NOTE =
  'By its names, it is a residual network as torchvision has it: the first block of layer2 and of each later one halves height and width, in its first convolution of more than 1 × 1.';

/** Adds a layer with the parameters of a module. Returns its name. */
export type AddModule = (
  module: TorchModule,
  input: string,
  options?: {
    stride?: Pair;
    /** Of a convolution or a norm. */
    groups?: number;
    padding?: Pair;
    /** [C, H, W] of the values that it reads, if they are in the order H, W, C in the file. */
    heldAs?: Shape;
  },
) => string;

/** @throws Failure `bad-input` if a block is not as torchvision has it */
export function addResidual(
  draft: Draft,
  images: string,
  modules: readonly TorchModule[],
  addModule: AddModule,
  activation: (input: string) => string,
): void {
  const byName = new Map(modules.map((module) => [module.name, module]));
  const isNormalised = modules.some(({ kind }) => kind === 'batch_norm');
  const used = new Set<string>();
  const unit = (conv: string, bn: string, input: string, stride: number, width: number): string => {
    const module = byName.get(conv);
    const norm = byName.get(bn);
    if (!module || (norm ? norm.shape[0] !== module.shape[0] : isNormalised))
      throw undetermined(
        module
          ? `expected the batch norm “${short(bn)}” with ${module.shape[0]} channels after “${short(conv)}”, found ${norm?.shape[0] ?? 'none'}`
          : `expected the convolution “${short(conv)}”, found none`,
      );
    used.add(conv).add(bn);
    const [, read, size] = module.shape;
    if (width % read !== 0)
      throw undetermined(`“${short(conv)}” reads ${read} channels; the layer before it has ${width}`);
    const half = (size - 1) / 2;
    const output = addModule(module, input, {
      stride: [stride, stride],
      groups: width / read,
      padding: [half, half],
    });
    return norm ? addModule(norm, output) : output;
  };
  const stem = byName.get('conv1') as TorchModule;
  const isLarge = stem.shape[2] >= 7;
  let [width] = stem.shape;
  let last = activation(unit('conv1', 'bn1', images, isLarge ? 2 : 1, stem.shape[1]));
  if (isLarge)
    last = draft.add('maxpool', 'max_pool', [last], { kernelSize: [3, 3], stride: [2, 2], padding: [1, 1] });
  const blocks = new Set(modules.flatMap(({ name }) => IN_BLOCK.exec(name)?.[1] ?? []));
  for (const block of [...blocks].sort(new Intl.Collator('en', { numeric: true }).compare)) {
    const convs = modules.filter(({ name }) => name.startsWith(`${block}.conv`));
    const [outputs] = convs.at(-1)?.shape ?? [width];
    const halves = block.endsWith('.0') && !block.startsWith('layer1.');
    const strided = Math.max(
      0,
      convs.findIndex(({ shape }) => shape[2] > 1),
    );
    let [output, channels] = [last, width];
    convs.forEach(({ name, shape }, i) => {
      output = unit(name, name.replace('conv', 'bn'), output, halves && i === strided ? 2 : 1, channels);
      [channels] = shape;
      if (i < convs.length - 1) output = activation(output);
    });
    const way = ['downsample', 'shortcut'].find((one) => byName.has(`${block}.${one}.0`));
    if (way === undefined && (halves || outputs !== width))
      throw undetermined(
        `“${short(block)}” changes the size, so a shortcut with weights (“downsample” or “shortcut”) was expected, and there is none`,
      );
    const shortcut =
      way === undefined ? last : unit(`${block}.${way}.0`, `${block}.${way}.1`, last, halves ? 2 : 1, width);
    last = activation(draft.add(`${block}.add`, 'add', [output, shortcut]));
    width = outputs;
  }
  const head = byName.get('fc') ?? byName.get('linear');
  const unused = modules.find(({ name }) => !used.has(name) && name !== head?.name);
  if (!head || unused || head.shape[1] !== width)
    throw undetermined(
      unused
        ? `“${short(unused.name)}” belongs to no block; expected names such as layer1.0.conv1`
        : `expected a last layer, “fc” or “linear”, that reads ${width} channels; found ${head ? `one that reads ${head.shape[1]}` : 'none'}`,
    );
  const pooled = draft.add('avgpool', 'adaptive_avg_pool', [last], { outputSize: [1, 1] });
  addModule(head, draft.add('flatten', 'flatten', [pooled]));
}
