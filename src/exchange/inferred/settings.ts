/**
 * The sizes of a row of layers: of the usual images, strides, paddings and places of pooling, those that together give
 * the number of values which the first fully connected layer reads. Of several, the most usual.
 */
import { Failure } from '../../base/result.ts';
import { elements, type Pair, type Shape } from '../../base/shape.ts';
import { imageOfPixels } from '../pixels.ts';
import type { Assumptions } from './assumptions.ts';
import { undetermined, short } from './modules.ts';
import type { Step } from './row.ts';

/** What the sizes depend on. */
export type RowSettings = Omit<Assumptions, 'activation' | 'normalisation'>;

/** Something to try, and how unusual it is. */
type Tried<T> = readonly [value: T, cost: number];

/** Sides of images by channels, the most usual first: MNIST's, CIFAR's, ImageNet's. */
const SIDES: ReadonlyMap<number, readonly number[]> = new Map([
  [1, [28, 32, 8, 64, 48, 96, 100, 128, 224]],
  [3, [32, 224, 64, 28, 128, 96, 227, 48, 256, 150, 100, 200, 299]],
]);
const OTHER_SIDES = [32, 28, 64, 224];
/** How unusual it is that a fully connected layer reads means of channels. */
const MEAN = 0.6;
/** AlexNet's pooling overlaps, and its first filters are the largest. */
const windowsOf = ([{ module }]: readonly Step[]): Tried<Pair>[] => {
  const isLarge = module.shape[2] >= 11;
  return [
    [[2, 2], isLarge ? 0.5 : 0],
    [[3, 2], isLarge ? 0 : 0.5],
    [[3, 3], 1],
  ];
};
/** Places of pooling of which all combinations are tried. */
const MOST_FREE = 7;

/**
 * @param given assumptions that are made already
 * @throws Failure `bad-input` if nothing usual fits them
 */
export function settingsOf(steps: readonly Step[], given: Partial<Assumptions>): RowSettings {
  const convs = steps.filter(({ module }) => module.kind === 'conv');
  requireApplicable(convs, given);
  const groups = groupsOf(steps, given);
  if (convs.length === 0) return { ...pixelsOf(steps[0], given), groups };
  const [, channels] = convs[0].module.shape;
  const sides = SIDES.get(channels) ?? OTHER_SIDES;
  const inputs = sides.map((side, i): Tried<Shape> => [[channels, side, side], i === 0 ? 0 : 0.75 + i / 4]);
  const head = steps.find(({ module }) => module.kind === 'linear')?.module;
  const windows = windowsOf(convs);
  const places = placesOf(convs, head !== undefined);
  let best: { settings: Omit<RowSettings, 'groups'>; cost: number } | undefined;
  for (const [input, ofInput] of given.input ? [[given.input, 0] as const] : inputs)
    for (const [strides, ofStrides] of given.strides ? [[given.strides, 0] as const] : stridesOf(convs))
      for (const [paddings, ofPaddings] of given.paddings
        ? [[given.paddings, 0] as const]
        : paddingsOf(convs))
        for (const [pools, ofPools] of given.pools ? [[given.pools, 0] as const] : places)
          for (const [window, ofWindow] of given.window ? [[given.window, 0] as const] : windows) {
            const sizes = { input, strides, paddings, pools, window };
            const end = sizeAfter(convs, sizes);
            const flatten = end && flattenOf(end, head?.shape[1], given.flatten);
            if (!flatten) continue;
            const cost =
              ofInput + ofStrides + ofPaddings + ofPools + ofWindow + (flatten === 'mean' ? MEAN : 0);
            if (best && best.cost <= cost) continue;
            best = { settings: { ...sizes, pooling: given.pooling ?? 'max', flatten }, cost };
          }
  if (best) return { ...best.settings, groups };
  throw undetermined(
    head
      ? `no usual image size, stride, padding and pooling gives the ${head.shape[1]} values that “${short(head.name)}” reads`
      : 'no usual image size, stride, padding and pooling fits the convolutions',
  );
}

/** @throws Failure `bad-input` if an assumption is about layers that are not there */
function requireApplicable(convs: readonly Step[], given: Partial<Assumptions>): void {
  const names = convs.map(({ module }) => module.name);
  const unknown = given.pools?.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Failure(
      'bad-input',
      `pools: there is no convolution “${short(unknown)}”; expected names of ${names.join(', ').slice(0, 300) || 'none'}`,
    );
  for (const name of ['strides', 'paddings'] as const) {
    const found = given[name]?.length ?? convs.length;
    if (found !== convs.length)
      throw new Failure(
        'bad-input',
        `${name}: expected one for each of ${convs.length} convolutions, found ${found}`,
      );
  }
  const [first] = convs;
  if (given.input && first && given.input[0] !== first.module.shape[1])
    throw new Failure(
      'bad-input',
      `input: expected ${first.module.shape[1]} channels, which the first convolution reads, found ${given.input[0]}`,
    );
}

/** How many groups a norm may have, the most usual first. */
const GROUPS = [32, 8, 4, 2, 1];

/** Of each norm without statistics: of two channels or more; after a fully connected layer, all of them, as a layer norm. */
function groupsOf(steps: readonly Step[], given: Partial<Assumptions>): readonly number[] {
  const norms = steps.filter(({ norm }) => norm?.kind === 'group_norm').map(({ module }) => module);
  const {
    groups = norms.map(({ kind, shape: [C] }) =>
      kind === 'linear' ? 1 : (GROUPS.find((one) => C % (2 * one) === 0) ?? 1),
    ),
  } = given;
  const wrong = norms.findIndex(({ shape: [C] }, i) => C % groups[i] !== 0);
  if (groups.length !== norms.length || wrong >= 0)
    throw new Failure(
      'bad-input',
      groups.length === norms.length
        ? `groups: expected a divisor of the ${norms[wrong].shape[0]} channels of “${short(norms[wrong].name)}”, found ${groups[wrong]}`
        : `groups: expected one for each of ${norms.length} norms without statistics, found ${groups.length}`,
    );
  return groups;
}

/** Of a network that begins with a fully connected layer. */
function pixelsOf(
  { module: { name, shape } }: Step,
  given: Partial<Assumptions>,
): Omit<RowSettings, 'groups'> {
  const [, read] = shape;
  const input = given.input ?? imageOfPixels([read]);
  if (!input || elements(input) !== read)
    throw undetermined(
      `“${short(name)}” reads ${read} values: ${
        given.input
          ? `images of ${given.input.join(' x ')} have ${elements(given.input)}`
          : 'these are the pixels of no square image, grey or in colour'
      }`,
    );
  const { flatten = 'chw' } = given;
  return { input, pooling: 'max', window: [2, 2], pools: [], strides: [], paddings: [], flatten };
}

const all = (convs: readonly Step[], pairOf: (step: Step, i: number) => Pair): Pair[] => convs.map(pairOf);

function stridesOf(convs: readonly Step[]): Tried<Pair[]>[] {
  // Filters that do not overlap, and those of a stem for large images.
  const usual = ({ module: { shape } }: Step, i: number): Pair => {
    const [, , R] = shape;
    if (R === 2 || R === 4) return [2, 2];
    if (i > 0 || R < 7) return [1, 1];
    return R >= 11 ? [4, 4] : [2, 2];
  };
  return [
    [all(convs, usual), 0],
    [all(convs, () => [1, 1]), convs[0].module.shape[2] >= 11 ? 2 : 0.25],
    [all(convs, () => [2, 2]), 1.5],
    // Where channels become more.
    [all(convs, ({ module: { shape } }, i) => (i > 0 && shape[0] > shape[1] ? [2, 2] : [1, 1])), 2],
  ];
}

function paddingsOf(convs: readonly Step[]): Tried<Pair[]>[] {
  // AlexNet pads its filters of 11 x 11 by 2.
  const half = (size: number): number => (size >= 11 ? 2 : Math.floor((size - 1) / 2));
  const halves = ({ module: { shape } }: Step): Pair => [half(shape[2]), half(shape[3])];
  const small = convs.every(({ module: { shape } }) => shape[2] <= 3);
  return [
    [all(convs, halves), small ? 0 : 0.25],
    [all(convs, () => [0, 0]), small ? 0.25 : 0],
    [all(convs, (step, i) => (i === 0 ? halves(step) : [0, 0])), small ? 0.5 : 0.25],
    [all(convs, (step, i) => (i === 0 ? [0, 0] : halves(step))), 0.5],
    [all(convs, () => [1, 1]), 1],
  ];
}

/** Layers that pooling may follow. nn.Sequential's numbers leave room for it, or none. */
function placesOf(convs: readonly Step[], hasHead: boolean): Tried<string[]>[] {
  const room = convs.map(({ between }, i) => {
    // The convolution whose channels are the classes.
    if (!hasHead && i === convs.length - 1) return false;
    if (between === undefined) return undefined;
    // An activation, and before a fully connected layer Flatten.
    return between > (i === convs.length - 1 ? 2 : 1);
  });
  const free = convs.filter((_, i) => room[i] === undefined);
  // At the end of each nn.Sequential.
  const ends = free.length > 1 && free.every(({ module }) => /\.\d+$/.test(module.name));
  const other = ends ? 1 : 0;
  const widens = (step: Step) => {
    const next = convs[convs.indexOf(step) + 1] as Step | undefined;
    return next === undefined || next.module.shape[0] !== step.module.shape[0];
  };
  const sets: Tried<(step: Step, i: number) => boolean>[] = [
    [() => true, 0],
    [(step) => step === free.at(-1), 0.5 + other],
    [(step) => step !== free.at(-1), 0.5 + other],
    [widens, 0.5 + other],
    [(_, i) => i % 2 === 1, 0.75 + other],
    [() => false, 1 + other],
  ];
  if (free.length <= MOST_FREE)
    for (let bits = 1; bits < 2 ** free.length; bits++)
      sets.push([(step) => ((bits >> free.indexOf(step)) & 1) === 1, 2]);
  const named = (isIn: (step: Step, i: number) => boolean) =>
    convs.filter(isIn).map(({ module }) => module.name);
  return [
    ...sets.map(([pools, cost]): Tried<string[]> => [
      named((step, i) => room[i] ?? pools(step, free.indexOf(step))),
      cost,
    ]),
    // The room may be that of a Dropout.
    [[], 2],
  ];
}

type Sizes = Pick<RowSettings, 'input' | 'strides' | 'paddings' | 'pools' | 'window'>;

/** [C, H, W] after all convolutions; undefined if the image is too small. */
function sizeAfter(
  convs: readonly Step[],
  { input, strides, paddings, pools, window: [size, step] }: Sizes,
): Shape | undefined {
  let [, ...sides] = input;
  for (const [i, { module }] of convs.entries()) {
    const [, , ...filter] = module.shape;
    sides = sides.map((side, axis) =>
      Math.floor((side + 2 * paddings[i][axis] - filter[axis]) / strides[i][axis] + 1),
    );
    if (sides.some((side) => side < 1)) return undefined;
    if (!pools.includes(module.name)) continue;
    sides = sides.map((side) => Math.floor((side - size) / step + 1));
    if (sides.some((side) => side < 1)) return undefined;
  }
  return [convs[convs.length - 1].module.shape[0], ...sides];
}

/** @param read values that the first fully connected layer reads; undefined if there is none */
function flattenOf(
  end: Shape,
  read: number | undefined,
  given: RowSettings['flatten'] | undefined,
): RowSettings['flatten'] | undefined {
  const [channels] = end;
  if (read === elements(end) && given !== 'mean') return given ?? 'chw';
  const isMean = read === undefined || read === channels;
  return isMean && (given === undefined || given === 'mean') ? 'mean' : undefined;
}
