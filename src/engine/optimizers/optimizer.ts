import { Failure } from '../../base/result.ts';
import type { PlanBuilder, Tensor } from '../plan.ts';
import type { OptimizerFields } from '../step.ts';

/** Settings of all optimisers, under PyTorch's names in camel case; each reads what it knows. */
export interface OptimizerSettings {
  lr: number;
  /** SGD and RMSProp. */
  momentum: number;
  /** SGD. */
  nesterov: boolean;
  /** Adam: how slowly the running means of gradients and squares forget. */
  betas: readonly [number, number];
  /** RMSProp: how slowly the running mean of squares forgets. */
  alpha: number;
  /** RMSProp: divides by the standard deviation of gradients. */
  centered: boolean;
  /** Adam and RMSProp: added to the denominator. */
  eps: number;
  weightDecay: number;
  /** Weight decay acts on parameters of one dimension too: on biases and batch norm. */
  decay1d: boolean;
}

export interface OptimizerTensors {
  /** All parameters, flat. Changed in place. */
  parameters: Tensor;
  gradients: Tensor;
  /** By the names in `states`, each as long as the parameters. Changed in place; zeros before the first step. */
  states: Readonly<Record<string, Tensor>>;
  /** By block of parameters, which of them have weight decay; see update.ts. Absent: all. */
  decayed?: Tensor;
  /** What `gradientFactors` answers. Absent: gradients are taken as they are. */
  factors?: Tensor | undefined;
  /**
   * u32 [slots, 2]: by metrics slot, the places of the first gradient and of the first new parameter that are not
   * finite; see NOWHERE in update.ts. Absent: nobody watches.
   */
  faults?: Tensor;
}

export interface Optimizer {
  readonly name: string;
  /** What it keeps for each parameter, under the names in PyTorch's state_dict. */
  readonly states: readonly string[];
  /** PyTorch's defaults. */
  readonly defaults: OptimizerSettings;
  /** The settings that it knows, besides the learning rate and weight decay, which all do. */
  readonly reads: readonly (keyof OptimizerSettings)[];
  /**
   * What the kernel reads at step `t`, from 1. Computed in float64. The learning rate may be another at every step.
   * @throws Failure `bad-input` if a setting is out of range
   */
  stepFields(t: number, settings: OptimizerSettings): OptimizerFields;
  /**
   * Adds one dispatch that updates all parameters. Flags (Nesterov's, centered) are fixed here; numbers come by step.
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

export const DEFAULTS: OptimizerSettings = {
  lr: 1e-3,
  momentum: 0,
  nesterov: false,
  betas: [0.9, 0.999],
  alpha: 0.99,
  centered: false,
  eps: 1e-8,
  weightDecay: 0,
  decay1d: true,
};

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
