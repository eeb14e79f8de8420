/**
 * What fprop and dgrad have in common: dgrad with stride 1 is the convolution of dy with the filters rotated by 180
 * degrees, with filters and channels swapped.
 */
import type { PlanBuilder, Tensor } from '../../../../plan.ts';
import type { ConvSetting, Launch } from '../../algorithm.ts';
import { convProblem } from '../../problem.ts';

export interface Correlation {
  /** The sizes of the computed convolution. */
  setting: ConvSetting;
  /** True for dgrad: w is stored for fprop. */
  flipped: boolean;
}

export interface CorrelationTensors {
  x: Tensor;
  w: Tensor;
  y: Tensor;
  bias?: Tensor;
  relu?: boolean;
  /** Added to y before the mask. */
  addend?: Tensor | undefined;
  /** The mask: y is 0 where it is not positive. */
  mask?: Tensor | undefined;
}

/** One way to compute it. */
export interface CorrelationLaunch {
  name: string;
  workspaceBytes: number;
  add(plan: PlanBuilder, label: string, tensors: CorrelationTensors): void;
}

export const fpropOf = (setting: ConvSetting): Correlation => ({ setting, flipped: false });

/** dgrad as a convolution; undefined if strides, or padding wider than the filter, make that impossible. */
export function dgradOf(setting: ConvSetting): Correlation | undefined {
  const { N, C, K, R, S, P, Q, stride, padding, dilation, groups, layout } = setting.problem;
  const [down, right] = [dilation[0] * (R - 1), dilation[1] * (S - 1)];
  const rest = {
    top: down - padding.top,
    bottom: down - padding.bottom,
    left: right - padding.left,
    right: right - padding.right,
  };
  if (Math.max(...stride) > 1 || Math.min(...Object.values(rest)) < 0) return undefined;
  const problem = convProblem({ N, C: K, H: P, W: Q, K: C, R, S, padding: rest, dilation, groups, layout });
  return { setting: { ...setting, problem }, flipped: true };
}

export const asDgrad = ({ name, workspaceBytes, add }: CorrelationLaunch): Launch<'dgrad'> => ({
  name,
  workspaceBytes,
  add: (plan, label, { dy, w, dx, mask }) => add(plan, label, { x: dy, w, y: dx, mask }),
});

/**
 * The tensors and constants of shaders/conv/direct/finish.wgsl. Absent tensors need a binding too, which is not read.
 */
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
