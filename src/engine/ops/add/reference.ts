import type { References } from '../../reference/ops.ts';

/** The elementwise sum of `terms` in float64. Every term's gradient equals the sum's. */
export const addForward = (...terms: readonly ArrayLike<number>[]): Float64Array =>
  Float64Array.from(terms[0], (_, i) => terms.reduce((sum, term) => sum + term[i], 0));

export default {
  add: ({ inputs }) => ({ y: addForward(...inputs), backward: (dy) => ({ inputs: inputs.map(() => dy) }) }),
} satisfies References;
