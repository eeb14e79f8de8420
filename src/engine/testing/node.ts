import type { BackwardNode } from '../op.ts';
import type { Tensor } from '../plan.ts';

/** A node for an op's tests, with defaults; forward and backward share it. */
export function testNode<A>(
  attributes: A,
  given: { input: Tensor; output: Tensor; outputGradient: Tensor } & Partial<BackwardNode<A>>,
): BackwardNode<A> {
  return {
    label: 'test',
    attributes,
    inputs: [given.input],
    parameters: {},
    buffers: {},
    training: true,
    gradients: {},
    inputGradient: undefined,
    inputGradients: [given.inputGradient],
    relu: false,
    maskInput: false,
    saved: {},
    ...given,
  };
}
