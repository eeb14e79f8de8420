/**
 * What fprop and dgrad have in common: dgrad with stride 1 is the convolution of dy with the filters turned by half a
 * circle, where filters and channels have swapped places.
 */
import type { PlanBuilder, Tensor } from '../../../../plan.ts';
import type { ConvSetting, Launch } from '../../algorithm.ts';
import { convProblem } from '../../problem.ts';

export interface Correlation {
  /** Of the convolution that is computed. */
  setting: ConvSetting;
  /** True if w is that of the convolution whose dgrad this is. */
  flipped: boolean;
}

export interface CorrelationTensors {
  x: Tensor;
  w: Tensor;
  y: Tensor;
  bias?: Tensor;
  relu?: boolean;
  /** y is 0 where this is not positive. */
  mask?: Tensor;
}

/** One way to compute it. */
export interface CorrelationLaunch {
  name: string;
  workspaceBytes: number;
  add(plan: PlanBuilder, label: string, tensors: CorrelationTensors): void;
}

export const fpropOf = (setting: ConvSetting): Correlation => ({ setting, flipped: false });

/** dgrad as a convolution; undefined where it is none, because of strides or of paddings wider than the filter. */
export function dgradOf(setting: ConvSetting): Correlation | undefined {
  const { N, C, K, R, S, P, Q, stride, padding, dilation, groups } = setting.problem;
  const rest = [dilation[0] * (R - 1) - padding[0], dilation[1] * (S - 1) - padding[1]] as const;
  if (Math.max(...stride) > 1 || Math.min(...rest) < 0) return undefined;
  const problem = convProblem({ N, C: K, H: P, W: Q, K: C, R, S, padding: rest, dilation, groups });
  return { setting: { ...setting, problem }, flipped: true };
}

export const asDgrad = ({ name, workspaceBytes, add }: CorrelationLaunch): Launch<'dgrad'> => ({
  name,
  workspaceBytes,
  add: (plan, label, { dy, w, dx, mask }) => add(plan, label, { x: dy, w, y: dx, mask }),
});

/** The tensors and constants of shaders/conv/direct/finish.wgsl. What is not there is bound all the same; nobody looks. */
export const finishTensors = ({ x, y, bias, mask }: CorrelationTensors) => ({
  x,
  y,
  bias: bias ?? x,
  mask: mask ?? x,
});
export const finishConstants = ({ bias, relu = false, mask }: CorrelationTensors) => ({
  HAS_BIAS: bias !== undefined,
  RELU: relu,
  MASK: mask !== undefined,
});
