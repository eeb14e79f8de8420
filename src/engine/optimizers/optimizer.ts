import { Failure } from '../../base/result.ts';
import { defaultOf } from '../../run/settings/rules.ts';
import { SETTING_KEYS, settingOf, type OptimizerName, type SettingsIn } from '../../run/settings/table.ts';
import type { ParameterEntry } from '../network.ts';
import type { PlanBuilder, Tensor } from '../plan.ts';
import type { OptimizerFields } from '../step.ts';

/** The settings of all optimisers; each reads those that apply to it. */
export interface OptimizerSettings extends Omit<SettingsIn<'optimizer'>, 'optimizer'> {
  /** Adam: decays of the moving averages of gradients and squares. Default 0.9 and 0.999. */
  betas?: readonly [number, number];
}

/** A parameter, and where it lies in the flat buffers, in values. */
export type BlockEntry = Pick<ParameterEntry, 'name' | 'shape' | 'offset' | 'length'>;

export interface OptimizerTensors {
  /** All parameters, flat. Changed in place. */
  parameters: Tensor;
  gradients: Tensor;
  /** By the names in `states`, each as long as the parameters. Changed in place; zeros before the first step. */
  states: Readonly<Record<string, Tensor>>;
  /** What to do with each block of parameters: see `blockTable`. Absent: all are trained and decay. */
  blocks?: Tensor | undefined;
  /** Parameters that are updated as matrices, which have their flag in `blocks`. Default: none. */
  matrices?: readonly BlockEntry[];
  /** The result of `gradientFactors`. Absent: gradients are used unchanged. */
  factors?: Tensor | undefined;
  /**
   * u32 [slots, 2]: per metrics slot, the places of the first gradient and of the first new parameter that are not
   * finite; see NOWHERE in update.ts. Absent: not checked.
   */
  faults?: Tensor;
}

export interface Optimizer {
  readonly name: string;
  /** Its states for each parameter, under the names in PyTorch's state_dict. */
  readonly states: readonly string[];
  readonly defaults: OptimizerSettings;
  /** Which of all parameters are updated as matrices. Default: none. */
  matrices?(entries: readonly BlockEntry[]): readonly BlockEntry[];
  /**
   * The kernel's uniforms at step `t`, from 1, computed in float64. The learning rate may change at every step.
   * @throws Failure `bad-input` if a setting is out of range
   */
  stepFields(t: number, settings: OptimizerSettings): OptimizerFields;
  /** Fetches what `plan` needs, where the optimiser is too rare for the page to load it at first. */
  fetch?(): Promise<void>;
  /**
   * Adds the dispatches that update all parameters: one, unless there are matrices. Flags (nesterov, centered) are fixed
   * here; numbers come with each step.
   */
  plan(plan: PlanBuilder, tensors: OptimizerTensors, settings: OptimizerSettings): void;
}

/** Fields that are 0 unless an optimiser sets them. */
export const NO_FIELDS: OptimizerFields = {
  lr: 0,
  weightDecay: 0,
  momentum: 0,
  beta2: 0,
  epsilon: 0,
  correction1: 0,
  correction2: 0,
  gain1: 0,
  gain2: 0,
};

/** The defaults of run/settings. */
export function defaultsOf(optimizer: OptimizerName): OptimizerSettings {
  const keys = SETTING_KEYS.filter((key) => settingOf(key).group === 'optimizer' && key !== 'optimizer');
  return Object.fromEntries(
    keys.map((key) => [key, defaultOf(key, optimizer)]),
  ) as unknown as OptimizerSettings;
}

/** Throws Failure('bad-input') unless `low <= value < high`. */
export function requireRange(
  optimizer: string,
  name: string,
  value: number,
  low: number,
  high = Infinity,
): void {
  if (value >= low && value < high) return;
  const range = high === Infinity ? `a number of at least ${low}` : `at least ${low} and below ${high}`;
  throw new Failure('bad-input', `${optimizer}: expected ${name} to be ${range}, found ${value}`);
}

/** Whether all parameters are treated alike, so that no table says what to do with each block of them. */
export const treatsAllAlike = (
  { matrices }: Optimizer,
  { decay1d, freeze, lrFactors, decayFactors, trainedEpochs }: OptimizerSettings,
): boolean =>
  decay1d &&
  matrices === undefined &&
  [freeze, lrFactors, decayFactors, trainedEpochs].every((list) => list.length === 0);
