/**
 * The choices for a whole network, made once, when a run starts: pinned by hand, else found by a search or taken by the
 * rules, else predicted. They are plain data that the run saves.
 */
import { Failure } from '../../../../base/result.ts';
import type { Shape } from '../../../../base/shape.ts';
import type { Device } from '../../../../gpu/device.ts';
import type { RunSettings } from '../../../../run/settings/table.ts';
import type { Layout } from '../../../dispatch.ts';
import { activationLayout } from '../../../layout.ts';
import { inferShapes, type Layer } from '../../../network.ts';
import type { NumberType } from '../../../plan.ts';
import type { ConvSetting, Launch } from '../algorithm.ts';
import { convAlgorithms } from '../algorithms/index.ts';
import { problemOf, type ConvAttributes } from '../index.ts';
import type { ConvProblem, Direction } from '../problem.ts';
import { launchesOf, requireLaunch, usualWorkspace, whyNot } from '../run.ts';
import type { KnownChoices } from './db.ts';
import { firstOf, get } from './get.ts';
import { FAMILIES, ruleFor, type Reading } from './rules.ts';
import type { Choice } from './types.ts';

/** A convolution of a network. */
export interface ConvLayer {
  layer: string;
  problem: ConvProblem;
  /** No dgrad without parameters before it: the images' gradient is not needed. */
  directions: Direction[];
}

/** A choice made by hand. An absent field applies to all. */
export interface Pin {
  layer?: string;
  direction?: Direction;
  algorithm: string;
  /** Default: the algorithm's best guess. */
  launch?: string;
}

/** Where a choice comes from: pinned by hand, found by measuring, taken by the rules, or predicted. */
export type ChosenBy = 'pin' | 'find' | 'rules' | 'get';

/** The setting of a run. */
export type AlgorithmSetting = RunSettings['convAlgorithm'];

/** How a setting reads the rules; undefined if it does not ask for them. */
export const readingOf = (algorithm: AlgorithmSetting | undefined): Reading | undefined =>
  algorithm === 'rules' ? 'images' : algorithm === 'rules-pixels' ? 'pixels' : undefined;

export interface LayerChoice extends Choice {
  by: ChosenBy;
}

/** The choices of a run, by layer and direction, and the workspace limit that their launches' names refer to. */
export interface ConvChoices {
  workspace: number;
  /** True if they were made for the CPU engine (src/cpu); otherwise for GPUs. */
  cpu?: boolean;
  /** Of the activations. Default NCHW. */
  layout?: Layout;
  layers: Record<string, Partial<Record<Direction, LayerChoice>>>;
}

export interface ChoiceOptions {
  /** The first that matches applies. */
  pins?: readonly Pin[];
  /** For convolutions without a pin. Default `auto`: the tuning result, else the prediction. */
  algorithm?: AlgorithmSetting;
  known?: KnownChoices;
  /** Bytes; default `usualWorkspace`. */
  workspace?: number;
  /** The type of stored activations. Default f32. */
  number?: NumberType;
  /**
   * Called with each convolution, such as "conv1 fprop", whose stored tuning result this device or version does not have.
   */
  onMisfit?(convolution: string): void;
  /** Pins were set elsewhere: those that are not possible here are reported to `onMisfit` and ignored. Default: no. */
  pinnedElsewhere?: boolean;
}

/**
 * @param input [N, C, H, W]
 * @param layout of the activations
 */
export function convLayers(layers: readonly Layer[], input: Shape, layout: Layout = 'nchw'): ConvLayer[] {
  const shapes = inferShapes(layers, input);
  return shapes.flatMap(({ layer, attributes, input: shape, sources: [source] }) =>
    layer.op === 'conv'
      ? {
          layer: layer.name,
          problem: problemOf(attributes as ConvAttributes, shape, layout),
          directions: shapes[source]?.learns ? ['fprop', 'dgrad', 'wgrad'] : ['fprop', 'wgrad'],
        }
      : [],
  );
}

/**
 * Chooses for every convolution and direction of a network.
 * @param input [N, C, H, W]
 * @throws Failure `bad-input` if a pin names something that does not exist or is not supported
 */
export function chooseAll(
  device: Device,
  layers: readonly Layer[],
  input: Shape,
  options: ChoiceOptions = {},
): ConvChoices {
  const {
    algorithm = 'auto',
    known,
    workspace = usualWorkspace(device),
    number = 'f32',
    onMisfit,
    pinnedElsewhere,
  } = options;
  const rules = readingOf(algorithm);
  const pins: readonly Pin[] = [
    ...(options.pins ?? []),
    ...(rules === undefined && algorithm !== 'auto' ? [{ algorithm }] : []),
  ];
  const layout = activationLayout(device, layers, input, number);
  const convolutions = convLayers(layers, input, layout);
  for (const { layer } of pins) {
    if (layer === undefined || convolutions.some((one) => one.layer === layer)) continue;
    const names = convolutions.map((one) => one.layer).join(', ');
    throw new Failure(
      'bad-input',
      `pin: no convolution is named "${layer}"`,
      `Convolutions of this model: ${names}.`,
    );
  }
  const choices: ConvChoices = {
    workspace,
    ...(device.adapter.cpu ? { cpu: true } : {}),
    ...(layout === 'nchw' ? {} : { layout }),
    layers: {},
  };
  for (const { layer, problem, directions } of convolutions) {
    choices.layers[layer] = Object.fromEntries(
      directions.map((direction) => {
        const fits = (pin: Pin) =>
          (pin.layer ?? layer) === layer && (pin.direction ?? direction) === direction;
        const pin = pins.find(fits);
        const setting: ConvSetting = { device, problem, workspace, number };
        const name = `${layer} ${direction}`;
        const misfit = () => onMisfit?.(name);
        const predicted = () =>
          choose(device, problem, direction, { known, rules, workspace, number, onMisfit: misfit });
        if (!pin) return [direction, predicted()];
        try {
          return [direction, pinned(name, setting, direction, pin)];
        } catch (error) {
          if (!pinnedElsewhere || !(error instanceof Failure)) throw error;
          misfit();
          return [direction, predicted()];
        }
      }),
    );
  }
  return choices;
}

/** The tuning result for a problem or, with rules, what they say; else the prediction. */
export function choose(
  device: Device,
  problem: ConvProblem,
  direction: Direction,
  options: {
    known?: KnownChoices | undefined;
    /** Takes the rules in this reading instead of tuning results. */
    rules?: Reading | undefined;
    workspace?: number;
    number?: NumberType;
    /** Called if the tuning result names what this device or version does not have. */
    onMisfit?(): void;
  } = {},
): LayerChoice {
  const { known, rules, workspace = usualWorkspace(device), number = 'f32' } = options;
  const entry = known?.entry(problem, direction, number, workspace);
  const setting: ConvSetting = { device, problem, workspace, number };
  if (entry?.best && rules === undefined) {
    const { algorithm } = entry.best;
    const launch = entry.best.launch;
    // It may come from another version of this program, with other variants.
    if (launchNamed(setting, direction, { algorithm, launch })) return { algorithm, launch, by: 'find' };
    options.onMisfit?.();
  }
  const quarantined = (algorithm: string, launch: string) =>
    entry?.quarantine.some((one) => one.algorithm === algorithm && one.launch === launch) ?? false;
  const rule = rules && ruleFor(problem, number, rules);
  const ruled = rule && firstOf(setting, direction, FAMILIES[rule.choice], quarantined);
  if (ruled) return { ...ruled, by: 'rules' };
  return { ...get(device, problem, direction, { workspace, number, exclude: quarantined }), by: 'get' };
}

function pinned(what: string, setting: ConvSetting, direction: Direction, pin: Pin): LayerChoice {
  const algorithm = convAlgorithms.get(pin.algorithm);
  const reason = whyNot(algorithm, setting, direction);
  if (reason !== undefined) {
    throw new Failure('bad-input', `${what}: ${pin.algorithm} does not support this layer: ${reason}`);
  }
  const launches = launchesOf(algorithm, setting, direction);
  const { name: launch } =
    pin.launch === undefined ? launches[0] : requireLaunch(pin.algorithm, launches, pin.launch);
  return { algorithm: pin.algorithm, launch, by: 'pin' };
}

/** The launch that a choice names; undefined if this device or version has none. */
export function launchNamed(
  setting: ConvSetting,
  direction: Direction,
  choice: Choice,
): Launch<Direction> | undefined {
  if (!convAlgorithms.has(choice.algorithm)) return undefined;
  const algorithm = convAlgorithms.get(choice.algorithm);
  if (whyNot(algorithm, setting, direction) !== undefined) return undefined;
  return launchesOf(algorithm, setting, direction).find(({ name }) => name === choice.launch);
}

/** The layers with their choices. */
export function withChoices(layers: readonly Layer[], { workspace, layers: chosen }: ConvChoices): Layer[] {
  return layers.map((layer) =>
    chosen[layer.name] === undefined
      ? layer
      : { ...layer, attributes: { ...layer.attributes, run: { workspace, ...chosen[layer.name] } } },
  );
}

/**
 * The layers for a forward pass over another number of images, in float32 and NCHW: the same algorithms, and launches of the same
 * name if available. What was measured or predicted for other activations, as in mixed precision, is predicted again, in float32.
 * @param input [N, C, H, W]
 * @param number of the activations that the choices were made for
 */
export function withChoicesFor(
  device: Device,
  layers: readonly Layer[],
  input: Shape,
  choices: ConvChoices,
  number: NumberType = 'f32',
): Layer[] {
  const { workspace, layout = 'nchw' } = choices;
  const alike = number === 'f32' && layout === 'nchw';
  const adapted: ConvChoices = { workspace, layers: {} };
  for (const { layer, problem } of convLayers(layers, input)) {
    const chosen = choices.layers[layer]?.fprop;
    if (chosen === undefined) continue;
    const setting: ConvSetting = { device, problem, workspace, number: 'f32' };
    const algorithm = convAlgorithms.get(chosen.algorithm);
    const keeps = alike || chosen.by === 'pin' || chosen.by === 'rules';
    const possible = keeps && whyNot(algorithm, setting, 'fprop') === undefined;
    const names = possible ? launchesOf(algorithm, setting, 'fprop').map(({ name }) => name) : [];
    adapted.layers[layer] = {
      fprop: possible
        ? { ...chosen, launch: names.includes(chosen.launch) ? chosen.launch : names[0] }
        : { ...get(device, problem, 'fprop', { workspace }), by: 'get' },
    };
  }
  return withChoices(layers, adapted);
}
