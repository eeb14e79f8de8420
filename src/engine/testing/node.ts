import { completeAttributes } from '../../ops/attributes.ts';
import type { BackwardNode, Op } from '../op.ts';
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

/** An op's attributes, with defaults in place of those that are absent. */
export const complete = <A>(op: Op<A>, given: Partial<A> = {}): A =>
  completeAttributes(op, given as Record<string, unknown>) as A;
