import type { Shape } from '../../../base/shape.ts';
import type { NumberType, PlanBuilder, Tensor } from '../../plan.ts';
import type { ConvAlgorithm, ConvSetting, ConvTensors, Launch } from './algorithm.ts';
import { inputShape, outputShape, weightShape, type ConvProblem, type Direction } from './problem.ts';

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

/** How a tensor is stored in a setting: gradients of weights are float32 always. */
export const convTensorType = ({ number }: ConvSetting, name: ConvTensorName): NumberType =>
  name === 'dw' ? 'f32' : number;

/** Bytes of workspace that an algorithm may use unless told otherwise. */
export const DEFAULT_WORKSPACE = 64 * 2 ** 20;

/** Why this cannot be done here, in words for people; undefined if it can. */
export function whyNot(
  algorithm: ConvAlgorithm,
  setting: ConvSetting,
  direction: Direction,
): string | undefined {
  if (setting.number === 'f16' && !setting.device.raw.features.has('shader-f16')) {
    return 'this GPU, or its driver, does not offer 16-bit numbers to shaders (the feature shader-f16)';
  }
  return algorithm.unsupported(setting, direction);
}

/** The launches of one direction; see ConvAlgorithm. */
export function launchesOf<D extends Direction>(
  algorithm: ConvAlgorithm,
  setting: ConvSetting,
  direction: D,
): Launch<D>[] {
  return algorithm[direction](setting) as Launch<Direction>[] as Launch<D>[];
}

/** Adds one direction of a bare convolution to `plan`. `tensors` holds what DIRECTION_TENSORS names. */
export function planConv<D extends Direction>(
  plan: PlanBuilder,
  label: string,
  launch: Launch<D>,
  tensors: Readonly<Partial<Record<ConvTensorName, Tensor>>>,
): void {
  launch.add(plan, label, tensors as unknown as ConvTensors[D]);
}
