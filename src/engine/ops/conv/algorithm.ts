import type { Device } from '../../../gpu/device.ts';
import type { Constants } from '../../../gpu/link.ts';
import type { Sum } from '../../error-bound.ts';
import type { NumberType, PlanBuilder, Tensor } from '../../plan.ts';
import type { Layout } from './layout.ts';
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
  /** Added to dx before the mask. Only for launches with `adds`. */
  addend?: Tensor | undefined;
  /** The layer's input, the output of a ReLU: dx is 0 where it is not positive. */
  mask?: Tensor | undefined;
}

export interface WgradTensors {
  dy: Tensor;
  x: Tensor;
  dw: Tensor;
  /** [K], the bias's gradient. */
  db?: Tensor;
  /** Whether dw is to be [K, C / groups, R, S] in NHWC too. Only for launches with `ordersWeights`. */
  parameterOrder?: boolean;
}

/** What each direction reads and writes. Outputs are written completely. */
export interface ConvTensors {
  fprop: FpropTensors;
  dgrad: DgradTensors;
  wgrad: WgradTensors;
}

/** Launch parameters that a person chooses, for kernels whose results do not depend on them. */
export interface LaunchSize {
  /** Threads of a workgroup. Default 64. */
  readonly threads?: number | undefined;
  /** Workgroups, which share all items. Default: as many as give each item a thread of its own. */
  readonly workgroups?: number | undefined;
}

/** The problem, and the resources for it. */
export interface ConvSetting {
  readonly device: Device;
  readonly problem: ConvProblem;
  /** Bytes of workspace on the GPU that it may use. */
  readonly workspace: number;
  /** The type of x, w, y, dx and dy; bias, dw, db and every sum are float32. */
  readonly number: NumberType;
  /** For algorithms that are `resizable`. */
  readonly launchSize?: LaunchSize | undefined;
}

/** One way to run an algorithm on a problem: a variant with its launch parameters. */
export interface Launch<D extends Direction> {
  /** Always denotes the same launch for a problem and adapter: "fused, tile 64x64x16". */
  readonly name: string;
  /** Bytes of workspace. */
  readonly workspaceBytes: number;
  /** Whether dgrad can add a tensor to dx. */
  readonly adds?: boolean;
  /** Whether wgrad can write dw in PyTorch's order in NHWC too. */
  readonly ordersWeights?: boolean;
  /** Adds its dispatches; their labels start with `label`. */
  add(plan: PlanBuilder, label: string, tensors: ConvTensors[D]): void;
}

/**
 * One way to compute convolutions. For each direction it returns the launches worth measuring, the best guess first: at
 * most 24, and at least one unless `unsupported` gives a reason. It never delegates to another algorithm.
 */
export interface ConvAlgorithm {
  /** The algorithm's common name, as on the command line. */
  readonly name: string;
  /** One sentence for the user. */
  readonly summary: string;
  /** How it sums up a value, if not term by term: bounds of errors follow from it. See ../../error-bound.ts. */
  readonly sum?: (problem: ConvProblem, direction: Direction) => Sum;
  /** True if integers give exact results while sums stay below 2^24. */
  readonly exact: boolean;
  /** The layouts that it has kernels for. Others run between transposes: see run.ts. */
  readonly layouts: readonly Layout[];
  /** Whether its launches heed the setting's `launchSize`. */
  readonly resizable?: boolean;
  /** Why it does not support this problem within this workspace, as text for the user; undefined if it does. */
  unsupported(setting: ConvSetting, direction: Direction): string | undefined;
  fprop(setting: ConvSetting): Launch<'fprop'>[];
  dgrad(setting: ConvSetting): Launch<'dgrad'>[];
  wgrad(setting: ConvSetting): Launch<'wgrad'>[];
}

/** The constants of shaders/conv/problem.wgsl. */
export function problemConstants({ problem, number }: ConvSetting): Constants {
  const { C, H, W, K, R, S, P, Q, stride, padding, dilation, groups, layout } = problem;
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
    PADDING_TOP: padding.top,
    PADDING_LEFT: padding.left,
    DILATION_V: dilation[0],
    DILATION_H: dilation[1],
    NHWC: layout === 'nhwc',
  };
}
