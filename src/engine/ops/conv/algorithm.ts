import type { Device } from '../../../gpu/device.ts';
import type { Constants } from '../../../gpu/link.ts';
import type { NumberType, PlanBuilder, Tensor } from '../../plan.ts';
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

/** What each direction reads and writes. Outputs are written whole. */
export interface ConvTensors {
  fprop: FpropTensors;
  dgrad: DgradTensors;
  wgrad: WgradTensors;
}

/** What an algorithm is to work on, and with. */
export interface ConvSetting {
  readonly device: Device;
  readonly problem: ConvProblem;
  /** Bytes on the GPU that it may use beyond inputs and outputs. */
  readonly workspace: number;
  /** How x, w, y, dx and dy are stored; bias, dw and db are float32, and so is every sum. */
  readonly number: NumberType;
}

/** One way to run an algorithm on a problem: a variant with its launch parameters. */
export interface Launch<D extends Direction> {
  /** Means the same on every visit, for the same problem and adapter: "fused, tile 64x64x16". */
  readonly name: string;
  /** Bytes beyond inputs and outputs. */
  readonly workspaceBytes: number;
  /** Adds its dispatches; their labels start with `label`. */
  add(plan: PlanBuilder, label: string, tensors: ConvTensors[D]): void;
}

/**
 * One way to compute convolutions. It answers a direction with the launches worth measuring, the best guess first, at
 * most 24, at least one where `unsupported` has no objection. What it cannot do it says; it never hands a problem to
 * another algorithm.
 */
export interface ConvAlgorithm {
  /** The algorithm's name in the field, as the command line has it. */
  readonly name: string;
  /** One sentence for people. */
  readonly summary: string;
  /** Largest relative error of float32 answers: largest difference over largest number. */
  readonly tolerance: number;
  /** True if integers give exact answers, as long as sums stay below 2^24. */
  readonly exact: boolean;
  /** Why it cannot do this problem within this workspace, in words for people; undefined if it can. */
  unsupported(setting: ConvSetting, direction: Direction): string | undefined;
  fprop(setting: ConvSetting): Launch<'fprop'>[];
  dgrad(setting: ConvSetting): Launch<'dgrad'>[];
  wgrad(setting: ConvSetting): Launch<'wgrad'>[];
}

/** The constants of shaders/conv/problem.wgsl. */
export function problemConstants({ problem, number }: ConvSetting): Constants {
  const { C, H, W, K, R, S, P, Q, stride, padding, dilation, groups } = problem;
  return {
    C,
    H,
    W,
    K,
    R,
    S,
    P,
    Q,
    GROUPS: groups,
    Number: number,
    STRIDE_V: stride[0],
    STRIDE_H: stride[1],
    PADDING_V: padding[0],
    PADDING_H: padding[1],
    DILATION_V: dilation[0],
    DILATION_H: dilation[1],
  };
}
