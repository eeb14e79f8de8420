import type { PlanBuilder, Tensor } from '../../plan.ts';
import type { ConvAlgorithm } from './algorithm.ts';
import { inputShape, outputShape, weightShape, type ConvProblem, type Direction } from './problem.ts';
import type { Shape } from '../../../base/shape.ts';

/** What each direction reads, in the words of case files, and what it makes. */
export const DIRECTION_TENSORS = {
  fprop: { inputs: ['x', 'w'], output: 'y' },
  dgrad: { inputs: ['dy', 'w'], output: 'dx' },
  wgrad: { inputs: ['dy', 'x'], output: 'dw' },
} as const;

export type ConvTensorName = 'x' | 'w' | 'dy' | 'y' | 'dx' | 'dw';

export function convTensorShape(problem: ConvProblem, name: ConvTensorName): Shape {
  if (name === 'x' || name === 'dx') return inputShape(problem);
  if (name === 'w' || name === 'dw') return weightShape(problem);
  return outputShape(problem);
}

/** Adds one direction of a bare convolution to `plan`. `tensors` holds what DIRECTION_TENSORS names. */
export function planConv(
  plan: PlanBuilder,
  algorithm: ConvAlgorithm,
  problem: ConvProblem,
  direction: Direction,
  tensors: Readonly<Partial<Record<ConvTensorName, Tensor>>>,
): void {
  const get = (name: ConvTensorName) => tensors[name] as Tensor;
  const label = `${algorithm.name} ${direction}`;
  switch (direction) {
    case 'fprop':
      return algorithm.fprop(plan, label, problem, { x: get('x'), w: get('w'), y: get('y') });
    case 'dgrad':
      return algorithm.dgrad(plan, label, problem, { dy: get('dy'), w: get('w'), dx: get('dx') });
    case 'wgrad':
      return algorithm.wgrad(plan, label, problem, { dy: get('dy'), x: get('x'), dw: get('dw') });
  }
}
