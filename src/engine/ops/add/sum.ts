/** Elementwise sums of tensors in the given order: residual sums, and gradients of outputs that several layers read. */
import { assert } from '../../../base/assert.ts';
import { elements } from '../../../base/shape.ts';
import { wgslVectorType } from '../../dispatch.ts';
import { grid, type PlanBuilder, type Tensor } from '../../plan.ts';

export interface SumOptions {
  /** Whether to apply ReLU to the sum. */
  relu?: boolean;
  /** The output of a ReLU: where it is not positive, the sum becomes 0. */
  mask?: Tensor | undefined;
}

/**
 * Adds y = the sum of `terms` to `plan`, one dispatch per term after the first.
 * @param terms at least two, as long as `y`
 */
export function planSum(
  plan: PlanBuilder,
  label: string,
  terms: readonly Tensor[],
  y: Tensor,
  { relu = false, mask }: SumOptions = {},
): void {
  assert(terms.length >= 2, `${label}: a sum of ${terms.length} terms`);
  const numbers = elements(y.shape);
  assert(
    terms.every(({ shape }) => elements(shape) === numbers),
    `${label}: terms of different sizes`,
  );
  const vec4 = numbers % 4 === 0;
  const count = vec4 ? numbers / 4 : numbers;
  let sum = terms[0];
  terms.slice(1).forEach((term, i) => {
    const last = i === terms.length - 2;
    const next = last ? y : plan.tensor(`${label} ${i}`, y.shape, y.type);
    plan.dispatch({
      label,
      kernel: {
        shader: 'add/sum',
        constants: {
          Piece: wgslVectorType('f32', vec4),
          Stored: wgslVectorType(y.type, vec4),
          RELU: relu && last,
          MASK: mask !== undefined && last,
        },
      },
      // Not read without a mask; binding another tensor would prolong its life for nothing.
      tensors: { a: sum, b: term, z: (last && mask) || term, y: next },
      uniforms: { count },
      workgroups: grid(count, 64),
    });
    sum = next;
  });
}
