/** The tensors of a convolution's directions: names, shapes and types. */
import type { Shape } from '../../../base/shape.ts';
import type { NumberType } from '../../plan.ts';
import type { ConvSetting } from './algorithm.ts';
import {
  inLayout,
  inputIndexing,
  outputIndexing,
  weightIndexing,
  type Indexing,
  type Layout,
} from './layout.ts';
import { inputShape, outputShape, weightShape, type ConvProblem } from './problem.ts';

/** The tensors that each direction reads, by their names in case files, and the tensor that it writes. */
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

export function convTensorIndexing(problem: ConvProblem, name: ConvTensorName): Indexing {
  if (name === 'x' || name === 'dx') return inputIndexing(problem);
  if (name === 'w' || name === 'dw') return weightIndexing(problem);
  return outputIndexing(problem);
}

/** The values of one of the problem's tensors, which are in layout `from`, in the problem's layout. */
export function inProblemLayout(
  problem: ConvProblem,
  name: ConvTensorName,
  values: Float32Array<ArrayBuffer>,
  from: Layout,
): Float32Array<ArrayBuffer> {
  if (problem.layout === from) return values;
  const source = convTensorIndexing(inLayout(problem, from), name);
  const target = convTensorIndexing(problem, name);
  return values.map((_, at) => values[source.at(...target.placeOf(at))]);
}

/** A tensor's type in a setting: gradients of weights are always float32. */
export const convTensorType = ({ number }: ConvSetting, name: ConvTensorName): NumberType =>
  name === 'dw' ? 'f32' : number;
