/** An optional measurement of training steps, by dispatches of its own that change nothing else. */
import type { OptionalMetric } from '../../run/metrics/table.ts';
import type { ParameterLayout } from '../network.ts';
import type { PlanBuilder, Tensor } from '../plan.ts';

export interface Measure {
  /** Its key in the table of metrics. */
  readonly name: OptionalMetric;
  /** The columns of its values: the key itself, or one per layer. */
  columns(layout: ParameterLayout): readonly string[];
  /**
   * Adds its dispatches. They come before clipping and the optimiser; those that `plan` returns come after the optimiser.
   */
  plan(plan: PlanBuilder, tensors: MeasureTensors): (() => void) | undefined;
}

export interface MeasureTensors {
  layout: ParameterLayout;
  /** Of all layers, flat, as `layout` says. */
  parameters: Tensor;
  gradients: Tensor;
  /** The scale of the loss, where it is scaled. */
  scaling: Tensor | undefined;
  /** What is done with each block of parameters: see `blockTable`. Absent: all are trained. */
  blocks?: Tensor | undefined;
  /** [slots, columns]: what a step measures goes to its metrics slot. */
  values: Tensor;
}
