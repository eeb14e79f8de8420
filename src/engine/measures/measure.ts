/** An optional measurement of training steps, by additional dispatches that change nothing else. */
import type { OptionalMetric } from '../../run/metrics/table.ts';
import type { ParameterLayout } from '../network.ts';
import type { PlanBuilder, Tensor } from '../plan.ts';

export interface Measure {
  /** The metric's key in run/metrics. */
  readonly name: OptionalMetric;
  /** The columns of its values: the key, or one per layer. */
  columns(layout: ParameterLayout): readonly string[];
  /**
   * Adds its dispatches. They come before clipping and the optimiser; those that `plan` returns come after the optimiser.
   */
  plan(plan: PlanBuilder, tensors: MeasureTensors): (() => void) | undefined;
}

export interface MeasureTensors {
  layout: ParameterLayout;
  /** Of all layers, flat, in the order of `layout`. */
  parameters: Tensor;
  gradients: Tensor;
  /** The loss scale, if the loss is scaled. */
  scaling: Tensor | undefined;
  /** Which blocks of parameters are trained: see `blockTable`. Absent: all. */
  blocks?: Tensor | undefined;
  /** [slots, columns]: a step writes its values to its metrics slot. */
  values: Tensor;
}
