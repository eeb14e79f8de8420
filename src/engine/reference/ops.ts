/** Every op in float64 as part of a network in training: its output and its gradients. */
import type { Shape } from '../../base/shape.ts';

/** One use of an op, with its values. */
export interface ReferenceUse {
  attributes: Readonly<Record<string, unknown>>;
  inputs: readonly Float64Array[];
  shapes: readonly Shape[];
  output: Shape;
  /** By PyTorch's names: "weight". */
  parameters: Readonly<Record<string, ArrayLike<number>>>;
}

export interface ReferenceGradients {
  /** One per input. */
  inputs: readonly Float64Array[];
  /** By PyTorch's names. */
  parameters?: Readonly<Record<string, Float64Array>>;
}

export interface ReferenceOutput {
  y: Float64Array;
  /** Maps the output's gradient to those of inputs and parameters. */
  backward(dy: Float64Array): ReferenceGradients;
}

export type ReferenceOp = (use: ReferenceUse) => ReferenceOutput;

/** By the op's name. */
export type References = Readonly<Record<string, ReferenceOp>>;

/** Of ops that pass on their input. */
export const sameNumbers: ReferenceOp = ({ inputs: [x] }) => ({ y: x, backward: (dy) => ({ inputs: [dy] }) });
