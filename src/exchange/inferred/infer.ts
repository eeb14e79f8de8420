/** A network from the names and shapes of its weights alone. What they do not show is assumed, and can be given. */
import { Failure } from '../../base/result.ts';
import type { Shape } from '../../base/shape.ts';
import type { StateDict } from '../../engine/parameters.ts';
import { MAX_CLASSES } from '../../models/file/parse.ts';
import type { WeightsInfo } from '../../models/file/weights.ts';
import { Budget } from '../budget.ts';
import { Draft, IMAGES } from '../draft.ts';
import type { Imported } from '../imported.ts';
import { transposed } from '../../base/transposed.ts';
import { assumedTexts, readAssumed, type AssumedTexts, type Assumptions } from './assumptions.ts';
import { modulesOf, requireRow, short, undetermined, type TorchModule } from './modules.ts';
import { settingsOf, type RowSettings } from './settings.ts';
import { addResidual, isResidual, RESIDUAL_NOTE, residualInput, type AddModule } from './residual.ts';
import { rowOf, type Step } from './row.ts';

interface Tensor {
  shape: Shape;
  data: Float32Array;
}
type Weights = Readonly<Record<string, Tensor | undefined>>;

const GROUPS_NOTE =
  'Norms without statistics were taken for group norms. A batch norm that keeps no statistics looks the same and cannot be used.';
const SHARED_NOTE = 'There is one PReLU, which was taken to follow every layer with weights but the last.';
const NOTE =
  'The layers were inferred from names and shapes. These do not show what is listed as assumed: compare it with the code that the weights come from, and check the accuracy.';

/**
 * @param file its name, for messages
 * @param texts what is known of that which shapes do not show
 * @throws Failure `bad-input` if names and shapes determine no network, or an assumption does not fit
 */
export function inferNetwork(
  file: string,
  tensors: StateDict,
  info: WeightsInfo,
  texts: AssumedTexts,
): Imported {
  const given = readAssumed(texts);
  const modules = modulesOf(tensors);
  const { activation = 'relu', normalisation = 'unknown' } = given;
  const row = isResidual(modules) ? undefined : knownRow(modules, given);
  const input = row ? row.settings.input : inputOfResidual(modules, given);
  const values = [...tensors.values()].reduce((sum, { data }) => sum + data.byteLength, 0);
  const draft = new Draft(file, input, new Budget(file, values));
  const addModule = adding(draft, tensors);
  const activate = (source: string): string =>
    activation === 'none' ? source : draft.add(`${source}_${activation}`, activation, [source]);
  if (row) addRow(draft, row, addModule, activate);
  else addResidual(draft, IMAGES, modules, addModule, activate);
  if (normalisation !== 'unknown' && normalisation.mean.length !== input[0])
    throw new Failure(
      'bad-input',
      `normalisation: expected numbers for ${input[0]} channels, found ${normalisation.mean.length}`,
    );
  const known = normalisation === 'unknown' ? info : { ...info, normalisation };
  const title = file.replace(/\.\w+$/, '') || file;
  return {
    ...draft.finish(title, known, [NOTE, ...(row ? notesOn(row) : [RESIDUAL_NOTE])]),
    assumed: assumedTexts({
      ...(row ? shownOf(row.settings) : { input }),
      // Where there is PReLU, it follows every layer but the last.
      ...(row?.steps[0].slopes ? {} : { activation }),
      normalisation,
    }),
  };
}

interface Row {
  steps: readonly Step[];
  settings: RowSettings;
}

function knownRow(modules: readonly TorchModule[], given: Partial<Assumptions>): Row {
  const steps = rowOf(modules);
  requireRow(steps.flatMap(({ module, norm }) => (norm ? [module, norm] : [module])));
  const last = steps[steps.length - 1].module;
  const [classes] = last.shape;
  if (classes < 2 || classes > MAX_CLASSES)
    throw undetermined(
      `expected a last layer with 2 to ${MAX_CLASSES} outputs, one for each class; “${short(last.name)}” has ${classes}`,
    );
  return { steps, settings: settingsOf(steps, given) };
}

function notesOn({ steps, settings: { groups } }: Row): string[] {
  const [first, second] = steps.flatMap(({ slopes = [] }) => slopes);
  return [...(groups.length > 0 ? [GROUPS_NOTE] : []), ...(second && first === second ? [SHARED_NOTE] : [])];
}

/** Without what makes no difference: a network of fully connected layers has no strides. */
function shownOf({ groups, ...settings }: RowSettings): Partial<RowSettings> {
  const { input, flatten, strides, paddings, pools } = settings;
  const ofNorms = groups.length > 0 ? { groups } : {};
  if (strides.length === 0) return { input, flatten, ...ofNorms };
  return { ...(pools.length === 0 ? { input, strides, paddings, pools, flatten } : settings), ...ofNorms };
}

/** What can be assumed of residual networks: the rest follows from their names. */
const OF_RESIDUAL = new Set(['input', 'activation', 'normalisation']);

function inputOfResidual(modules: readonly TorchModule[], given: Partial<Assumptions>): Shape {
  const other = Object.keys(given).find((name) => !OF_RESIDUAL.has(name));
  if (other !== undefined)
    throw new Failure(
      'bad-input',
      `${other}: expected only ${[...OF_RESIDUAL].join(', ')} for a residual network`,
    );
  return given.input ?? residualInput(modules);
}

/** How a module becomes a layer. */
function adding(draft: Draft, tensors: StateDict): AddModule {
  return (module, input, { stride = [1, 1], padding = [0, 0], groups = 1, heldAs } = {}) => {
    const { name, kind, shape, bias } = module;
    const weight = tensors.get(`${name}.weight`);
    const weights: Weights = {
      weight: weight && heldAs ? inOrder(weight, heldAs) : weight,
      bias: tensors.get(`${name}.bias`),
      running_mean: tensors.get(`${name}.running_mean`),
      running_var: tensors.get(`${name}.running_var`),
    };
    const [outputs, , ...kernelSize] = shape;
    const noBias = bias ? {} : { bias };
    const isNot = (pair: readonly number[], usual: number) => pair.some((size) => size !== usual);
    switch (kind) {
      case 'batch_norm':
        return draft.add(name, kind, [input], {}, weights);
      case 'group_norm':
        return draft.add(name, kind, [input], { numGroups: groups }, weights);
      case 'prelu':
        return draft.add(name, kind, [input], outputs === 1 ? {} : { numParameters: outputs }, weights);
      case 'linear':
        return draft.add(name, kind, [input], { outFeatures: outputs, ...noBias }, weights);
      case 'conv':
        return draft.add(
          name,
          kind,
          [input],
          {
            outChannels: outputs,
            kernelSize,
            ...(isNot(stride, 1) ? { stride } : {}),
            ...(isNot(padding, 0) ? { padding } : {}),
            ...(groups === 1 ? {} : { groups }),
            ...noBias,
          },
          weights,
        );
    }
  };
}

/** A weight whose columns are in the order H, W, C, in the order C, H, W. */
const inOrder = ({ shape, data }: Tensor, [C, H, W]: Shape): Tensor => ({
  shape,
  data: transposed(data, [shape[0], H, W, C], [0, 3, 1, 2]),
});

function addRow(
  draft: Draft,
  {
    steps,
    settings: {
      pooling,
      window: [size, stride],
      pools,
      strides,
      paddings,
      flatten,
      groups: ofNorms,
    },
  }: Row,
  addModule: AddModule,
  activate: (source: string) => string,
): void {
  let last = IMAGES;
  const flat = (source: string): string => {
    const pooled =
      flatten === 'mean'
        ? draft.add('avgpool', 'adaptive_avg_pool', [source], { outputSize: [1, 1] })
        : source;
    return draft.add('flatten', 'flatten', [pooled]);
  };
  const groupsLeft = [...ofNorms];
  for (const [i, { module, norm, slopes, isNormLast, groups, between }] of steps.entries()) {
    const isLast = i === steps.length - 1;
    const shape = draft.shapeOf(last);
    if (module.kind === 'linear') {
      const heldAs = shape.length === 3 && flatten === 'hwc' ? shape : undefined;
      last = addModule(module, shape.length === 3 ? flat(last) : last, heldAs ? { heldAs } : {});
    } else last = addModule(module, last, { stride: strides[i], padding: paddings[i], groups });
    const normalise = () => {
      const own = norm?.kind === 'group_norm' ? { groups: groupsLeft.shift() } : {};
      if (norm) last = addModule(norm, last, own);
    };
    if (!isNormLast) normalise();
    if (slopes) last = addModule(slopes, last);
    else if (!isLast && between !== 0) last = activate(last);
    if (isNormLast) normalise();
    if (pools.includes(module.name)) {
      const windows = { kernelSize: [size, size], stride: [stride, stride] };
      last = draft.add(`${module.name}_pool`, `${pooling}_pool`, [last], windows);
    }
    if (isLast && module.kind === 'conv') flat(last);
  }
}
