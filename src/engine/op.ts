import type { Shape } from '../base/shape.ts';
import type { AttributeSpecs } from './attributes.ts';
import type { PlanBuilder, Tensor } from './plan.ts';

export interface ParameterSpec {
  /** PyTorch's name within its module: "weight", "bias". */
  name: string;
  shape: Shape;
  /** Inputs and outputs of one unit, as initialisation counts them. */
  fanIn: number;
  fanOut: number;
  /** It is multiplied with the input, and so read as that is stored: in 16 bits where the input has 16. */
  narrow?: boolean;
  /** What all its numbers start as. Default: drawn. */
  initial?: number;
}

/** What a layer keeps between steps that is not learnt, and that no optimiser touches. */
export interface BufferSpec {
  /** PyTorch's name within its module: "running_mean". */
  name: string;
  shape: Shape;
  /** What all its numbers start as. */
  initial: number;
  /** It counts something, so that an average of it means nothing. */
  counts?: boolean;
  /** May be missing where weights are loaded; it is `initial` then. */
  optional?: boolean;
}

/** One use of an op in a network, as the op sees it while it writes its dispatches. */
export interface Node<A> {
  /** The layer's name: "conv1". */
  label: string;
  attributes: A;
  /** The first of `inputs`. */
  input: Tensor;
  inputs: readonly Tensor[];
  output: Tensor;
  /** By ParameterSpec name. */
  parameters: Readonly<Record<string, Tensor>>;
  /** By BufferSpec name. */
  buffers: Readonly<Record<string, Tensor>>;
  /** True in a training step, where ops like batch normalisation do other things than later. */
  training: boolean;
  /** ReLU follows and is applied by this op itself. Only for ops with `fusesRelu`. */
  relu: boolean;
  /** What forward leaves for backward, by name ("argmax"). */
  saved: Record<string, Tensor>;
}

/** A node on the way back. */
export interface BackwardNode<A> extends Node<A> {
  outputGradient: Tensor;
  /** The first of `inputGradients`. */
  inputGradient: Tensor | undefined;
  /** One for each input. Absent where nobody needs it (the images). */
  inputGradients: readonly (Tensor | undefined)[];
  /**
   * The input is the output of a ReLU, and that ReLU has no kernel of its own: the op passes on its input's gradient
   * only where the input is positive. Never for ops with several inputs, nor where others take the input too.
   */
  maskInput: boolean;
  /** By ParameterSpec name; absent when the parameters are frozen. */
  gradients: Readonly<Record<string, Tensor>>;
}

/** A differentiable operation: shapes, parameters and the dispatches of both ways. Outputs are written whole, never assumed zero. */
export interface Op<A> {
  readonly name: string;
  /** What can be set of it. Default: nothing. */
  readonly attributes?: AttributeSpecs;
  /** How many inputs it takes, at least and at most. Default: one. */
  readonly takes?: readonly [least: number, most: number];
  /** Shapes include N. Throws Failure('bad-input') saying what does not fit. */
  outputShape(attributes: A, input: Shape, ...others: readonly Shape[]): Shape;
  parameters?(attributes: A, input: Shape): ParameterSpec[];
  buffers?(attributes: A, input: Shape): BufferSpec[];
  /** True if the op can apply a following ReLU itself. */
  readonly fusesRelu?: boolean;
  /** True if the output is the input's memory with another shape: no dispatches at all. */
  readonly isView?: boolean;
  /** True if the output is the input outside of training, as a dropout's is: no dispatches there. */
  readonly passesInEvaluation?: boolean;
  /** True if every input's gradient is the output's, as a sum's is: no dispatches on the way back. */
  readonly passesGradient?: boolean;
  forward(plan: PlanBuilder, node: Node<A>): void;
  backward(plan: PlanBuilder, node: BackwardNode<A>): void;
}
