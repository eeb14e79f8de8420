import type { Shape } from '../base/shape.ts';
import type { AttributeSpecs } from '../ops/attributes.ts';
import type { PlanBuilder, Tensor } from './plan.ts';

export interface ParameterSpec {
  /** PyTorch's name within its module: "weight", "bias". */
  name: string;
  shape: Shape;
  /** Inputs and outputs of one unit, as initialisation counts them. */
  fanIn: number;
  fanOut: number;
  /** Of filters: the groups that they are in. Default 1. */
  groups?: number;
  /** It multiplies the input, so it is read in the input's type, f32 or f16. */
  narrow?: boolean;
  /** The initial value of all its values. Default: random. */
  initial?: number;
}

/** State that a layer keeps between steps but does not learn; optimisers never change it. */
export interface BufferSpec {
  /** PyTorch's name within its module: "running_mean". */
  name: string;
  shape: Shape;
  /** The initial value of all its values. */
  initial: number;
  /** A counter, of which an average makes no sense. */
  counts?: boolean;
  /** May be missing in loaded weights; it is then `initial`. */
  optional?: boolean;
}

/** One use of an op in a network, passed to the op when it adds its dispatches. */
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
  /** True in a training step, where some ops, like batch normalisation, behave differently. */
  training: boolean;
  /** ReLU follows and is applied by this op itself. Only for ops with `fusesRelu`. */
  relu: boolean;
  /** A sum follows, before the ReLU, and this is its other term. Only for ops with `fusesSum`. */
  addend?: Tensor | undefined;
  /** Tensors that forward saves for backward, by name ("argmax"). */
  saved: Record<string, Tensor>;
}

/** A node in the backward pass. */
export interface BackwardNode<A> extends Node<A> {
  outputGradient: Tensor;
  /** The first of `inputGradients`. */
  inputGradient: Tensor | undefined;
  /** One per input. Absent if not needed (the images). */
  inputGradients: readonly (Tensor | undefined)[];
  /**
   * The input is the output of a fused ReLU: the op writes its input's gradient only where the input is positive, else
   * 0. Never set for ops with several inputs, nor if other layers read the input too, unless it adds their gradient.
   */
  maskInput: boolean;
  /** The gradient from other layers that read the input: the op adds it, before the mask. Only with `addsGradient`. */
  gradientAddend?: Tensor | undefined;
  /** By ParameterSpec name; absent when the parameters are frozen. */
  gradients: Readonly<Record<string, Tensor>>;
}

/** The dispatches of an op. */
export interface Passes<A> {
  forward(plan: PlanBuilder, node: Node<A>): void;
  backward(plan: PlanBuilder, node: BackwardNode<A>): void;
}

/**
 * A differentiable operation: shapes, parameters and the dispatches of both passes. Outputs are written whole, never
 * assumed zero.
 */
export interface Op<A> extends Passes<A> {
  readonly name: string;
  /** Of its layers in lists: "Max pooling". */
  readonly title: string;
  /** Bounds and defaults of its attributes: the other members get all of them, within the bounds. Default: none. */
  readonly attributes?: AttributeSpecs;
  /** The least and the largest number of inputs. Default: one. */
  readonly takes?: readonly [least: number, most: number];
  /** Shapes include N. Throws Failure('bad-input') naming what does not fit. */
  outputShape(attributes: A, input: Shape, ...others: readonly Shape[]): Shape;
  parameters?(attributes: A, input: Shape): ParameterSpec[];
  buffers?(attributes: A, input: Shape): BufferSpec[];
  /** True if the op can apply a following ReLU itself. */
  readonly fusesRelu?: boolean;
  /** True if the op can add a tensor to its output, before that ReLU. */
  readonly fusesSum?: boolean;
  /** True if the op can add to its input's gradient what other layers contribute to it. */
  readonly addsGradient?: boolean;
  /** True if the output is the input's memory with another shape: no dispatches at all. */
  readonly isView?: boolean;
  /** True if the output is the input outside training, as for dropout: no dispatches there. */
  readonly passesInEvaluation?: boolean;
  /** True if it computes in both layouts of images: the layout is its input's. */
  readonly channelsLast?: boolean;
  /** True if every input's gradient equals the output's, as for a sum: no dispatches in the backward pass. */
  readonly passesGradient?: boolean;
  /** Fetches the code of its passes, for ops of which that is not there from the start: see ops/fetched.ts. */
  fetch?(): Promise<void>;
}
