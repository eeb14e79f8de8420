/** Choices that cannot be kept: those of another device or version, and those whose shader does not compile here. */
import type { Shape } from '../../../../base/shape.ts';
import type { Device } from '../../../../gpu/device.ts';
import type { Layer } from '../../../network.ts';
import type { NumberType } from '../../../plan.ts';
import type { ConvSetting, Launch } from '../algorithm.ts';
import { convAlgorithms } from '../algorithms/index.ts';
import type { Direction } from '../problem.ts';
import { barePlan, launchesOf, whyNot } from '../run.ts';
import type { KnownChoices } from './db.ts';
import {
  choose,
  convLayers,
  launchNamed,
  readingOf,
  type AlgorithmSetting,
  type ConvChoices,
  type LayerChoice,
} from './layers.ts';

/** The network and the device that choices are for. */
export interface Chooser {
  device: Device;
  layers: readonly Layer[];
  /** [N, C, H, W] */
  input: Shape;
  /** The type of stored activations. */
  number: NumberType;
  /** The setting of the run. */
  algorithm: AlgorithmSetting;
}

export interface Refitted {
  choices: ConvChoices;
  /** The convolutions that were chosen again: "conv1 fprop". */
  changed: readonly string[];
}

/**
 * Chooses again what names a launch that this device or version does not have, and what has no choice.
 * @param known the device's tuning results
 */
export function fitting(
  chooser: Chooser,
  made: ConvChoices,
  known: () => KnownChoices | undefined,
): Refitted {
  return refit(chooser, made, (setting, direction, choice) => {
    if (choice && launchNamed(setting, direction, choice)) return choice;
    const { device, problem, workspace, number } = setting;
    const rules = readingOf(chooser.algorithm);
    return choose(device, problem, direction, { known: known(), rules, workspace, number });
  });
}

/** The algorithm that replaces others; it is the reference of all. */
const PLAIN = 'direct';

/** Takes direct convolution wherever a launch uses this shader. */
export function withoutShader(chooser: Chooser, made: ConvChoices, shader: string): Refitted {
  // Kernels of one file differ in what completes it: "conv/direct/fprop:relu".
  const fileOf = (name: string) => name.split(':')[0];
  const uses = (setting: ConvSetting, direction: Direction, launch: Launch<Direction>) =>
    barePlan(setting, direction, launch).kernels.some((kernel) => fileOf(kernel.shader) === fileOf(shader));
  return refit(chooser, made, (setting, direction, choice) => {
    const launch = choice && launchNamed(setting, direction, choice);
    const plain = convAlgorithms.get(PLAIN);
    if (!launch || !uses(setting, direction, launch) || whyNot(plain, setting, direction) !== undefined)
      return choice;
    const other = launchesOf(plain, setting, direction).find((one) => !uses(setting, direction, one));
    return other ? { algorithm: PLAIN, launch: other.name, by: 'get' } : choice;
  });
}

/** @param again returns the given choice to keep it */
function refit(
  { device, layers, input, number }: Chooser,
  made: ConvChoices,
  again: (
    setting: ConvSetting,
    direction: Direction,
    choice: LayerChoice | undefined,
  ) => LayerChoice | undefined,
): Refitted {
  const changed: string[] = [];
  const chosen: ConvChoices['layers'] = {};
  for (const { layer, problem, directions } of convLayers(layers, input, made.layout)) {
    const before = Object.hasOwn(made.layers, layer) ? made.layers[layer] : {};
    const now: Partial<Record<Direction, LayerChoice>> = {};
    for (const direction of directions) {
      const setting: ConvSetting = { device, problem, workspace: made.workspace, number };
      const choice = again(setting, direction, before[direction]);
      if (choice !== before[direction]) changed.push(`${layer} ${direction}`);
      if (choice) now[direction] = choice;
    }
    chosen[layer] = now;
  }
  return { choices: changed.length === 0 ? made : { ...made, layers: chosen }, changed };
}
