import type { Constants } from '../../../gpu/link.ts';
import type { PlanBuilder, Tensor } from '../../plan.ts';
import type { ConvProblem, Direction } from './problem.ts';

export interface FpropTensors {
  x: Tensor;
  w: Tensor;
  /** [K], added to the output. */
  bias?: Tensor;
  y: Tensor;
  /** Apply ReLU to the output. */
  relu?: boolean;
}

export interface DgradTensors {
  dy: Tensor;
  w: Tensor;
  dx: Tensor;
  /** What the layer's ReLU'd input was: dx is passed on only where it is positive. */
  mask?: Tensor;
}

export interface WgradTensors {
  dy: Tensor;
  x: Tensor;
  dw: Tensor;
  /** [K], the bias's gradient. */
  db?: Tensor;
}

/** One way to compute convolutions: all it knows is the problem. Outputs are written whole. */
export interface ConvAlgorithm {
  /** The algorithm's name in the field, as the command line has it. */
  readonly name: string;
  /** One sentence for people. */
  readonly summary: string;
  /** Why it cannot do this problem, in words for people; undefined if it can. */
  unsupported(problem: ConvProblem, direction: Direction): string | undefined;
  fprop(plan: PlanBuilder, label: string, problem: ConvProblem, tensors: FpropTensors): void;
  dgrad(plan: PlanBuilder, label: string, problem: ConvProblem, tensors: DgradTensors): void;
  wgrad(plan: PlanBuilder, label: string, problem: ConvProblem, tensors: WgradTensors): void;
  /** Bytes on the GPU beyond inputs and outputs. */
  workspaceBytes(plan: PlanBuilder, problem: ConvProblem, direction: Direction): number;
}

/** The constants of shaders/conv/problem.wgsl. */
export function problemConstants({
  C,
  H,
  W,
  K,
  R,
  S,
  P,
  Q,
  stride,
  padding,
  dilation,
  groups,
}: ConvProblem): Constants {
  return {
    ...{ C, H, W, K, R, S, P, Q, GROUPS: groups },
    ...{ STRIDE_V: stride[0], STRIDE_H: stride[1], PADDING_V: padding[0], PADDING_H: padding[1] },
    ...{ DILATION_V: dilation[0], DILATION_H: dilation[1] },
  };
}
