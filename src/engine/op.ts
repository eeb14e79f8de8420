import type { Shape } from '../base/shape.ts';
import type { PlanBuilder, Tensor } from './plan.ts';

export interface ParameterSpec {
  /** PyTorch's name within its module: "weight", "bias". */
  name: string;
  shape: Shape;
  /** Inputs and outputs of one unit, as initialisation counts them. */
  fanIn: number;
  fanOut: number;
}

/** One use of an op in a network, as the op sees it while it writes its dispatches. */
export interface Node<A> {
  /** The layer's name: "conv1". */
  label: string;
  attributes: A;
  input: Tensor;
  output: Tensor;
  /** By ParameterSpec name. */
  parameters: Readonly<Record<string, Tensor>>;
  /** ReLU follows and is applied by this op itself. Only for ops with `fusesRelu`. */
  relu: boolean;
  /**
   * The input is what a ReLU put out, and that ReLU has no kernel of its own: the op passes on its input's gradient
   * only where the input is positive.
   */
  maskInput: boolean;
  /** What forward leaves for backward, by name ("argmax"). */
  saved: Record<string, Tensor>;
}

/** A node on the way back. */
export interface BackwardNode<A> extends Node<A> {
  outputGradient: Tensor;
  /** Absent where nobody needs it (the images). */
  inputGradient: Tensor | undefined;
  /** By ParameterSpec name; absent when the parameters are frozen. */
  gradients: Readonly<Record<string, Tensor>>;
}

/** A differentiable operation: shapes, parameters and the dispatches of both ways. Outputs are written whole, never assumed zero. */
export interface Op<A> {
  readonly name: string;
  /** Shapes include N. Throws Failure('bad-input') saying what does not fit. */
  outputShape(attributes: A, input: Shape): Shape;
  parameters?(attributes: A, input: Shape): ParameterSpec[];
  /** True if the op can apply a following ReLU itself. */
  readonly fusesRelu?: boolean;
  /** True if the output is the input's memory with another shape: no dispatches at all. */
  readonly isView?: boolean;
  forward(plan: PlanBuilder, node: Node<A>): void;
  backward(plan: PlanBuilder, node: BackwardNode<A>): void;
}
