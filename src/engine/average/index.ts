/**
 * Exponential moving averages (EMA) of parameters and buffers: the averaged network often predicts better than the last
 * one (Polyak and Juditsky, "Acceleration of Stochastic Approximation by Averaging", 1992).
 */
import { Failure } from '../../base/result.ts';
import { elements } from '../../base/shape.ts';
import { grid, type PlanBuilder, type Tensor } from '../plan.ts';

/**
 * How far step `t`, from 1, moves the average: 1 - min(decay, (1 + t) / (10 + t)), as TensorFlow's
 * ExponentialMovingAverage warms up. The random initial weights fade within a few steps, and the average needs no bias
 * correction when it is read, unlike a sum that starts at zero.
 * @throws Failure `bad-input` unless `decay` is from 0 to below 1
 */
export function averagingAt(decay: number, t: number): number {
  if (!(decay >= 0 && decay < 1)) {
    throw new Failure(
      'bad-input',
      `expected the decay of averages to be at least 0 and below 1, found ${decay}`,
    );
  }
  return 1 - Math.min(decay, (1 + t) / (10 + t));
}

/** Adds to `plan`: moves `average` towards `values` by the step's factor. Both have the same length. */
export function moveAverage(plan: PlanBuilder, values: Tensor, average: Tensor): void {
  const count = elements(values.shape);
  plan.dispatch({
    label: average.label,
    kernel: { shader: 'average/update' },
    tensors: { values, average },
    uniforms: { count },
    workgroups: grid(count, 64),
  });
}
