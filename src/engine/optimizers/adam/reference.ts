/** Adam and AdamW in float64, as PyTorch computes them (without amsgrad). */

export interface AdamSettings {
  lr: number;
  beta1: number;
  beta2: number;
  epsilon: number;
  weightDecay: number;
  /** AdamW: weight decay shrinks the parameters themselves instead of adding to their gradients. */
  decoupled: boolean;
}

/**
 * Step `t` (from 1), in place. Where all gradients so far were 0 nothing moves, even where epsilon is 0 (PyTorch answers
 * NaN).
 * @param first @param second running means of gradients and squares, zeros before step 1
 */
export function adamStep(
  { lr, beta1, beta2, epsilon, weightDecay, decoupled }: AdamSettings,
  t: number,
  parameters: Float64Array,
  gradients: ArrayLike<number>,
  first: Float64Array,
  second: Float64Array,
): void {
  const correction1 = 1 - beta1 ** t;
  const correction2 = 1 - beta2 ** t;
  for (let i = 0; i < parameters.length; i++) {
    if (decoupled) parameters[i] *= 1 - lr * weightDecay;
    const gradient = gradients[i] + (decoupled ? 0 : weightDecay * parameters[i]);
    first[i] += (1 - beta1) * (gradient - first[i]);
    second[i] = beta2 * second[i] + (1 - beta2) * gradient * gradient;
    const denominator = Math.sqrt(second[i]) / Math.sqrt(correction2) + epsilon;
    const ratio = first[i] === 0 && denominator === 0 ? 0 : first[i] / denominator;
    parameters[i] -= (lr / correction1) * ratio;
  }
}
