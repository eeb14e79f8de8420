/** The optimisers in float64, as PyTorch computes them: Adam and AdamW without amsgrad, SGD with dampening 0. */

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
 * Step `t` (from 1), in place. If all gradients so far were 0 nothing changes, even if epsilon is 0 (PyTorch returns
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

/** RMSProp in float64, as PyTorch's RMSprop computes it. */

export interface RmspropSettings {
  lr: number;
  alpha: number;
  eps: number;
  momentum: number;
  centered: boolean;
  weightDecay: number;
}

/** Arrays as long as the parameters; zeros before the first step. */
export interface RmspropStates {
  /** Running mean of squares. */
  squares: Float64Array;
  /** Running mean of gradients; stays zero unless centered. */
  means: Float64Array;
  /** Momentum. */
  buffers: Float64Array;
}

/** One step, in place. If all gradients so far were 0 nothing changes, even if eps is 0 (PyTorch returns NaN). */
export function rmspropStep(
  { lr, alpha, eps, momentum, centered, weightDecay }: RmspropSettings,
  parameters: Float64Array,
  gradients: ArrayLike<number>,
  { squares, means, buffers }: RmspropStates,
): void {
  for (let i = 0; i < parameters.length; i++) {
    const gradient = gradients[i] + weightDecay * parameters[i];
    squares[i] = alpha * squares[i] + (1 - alpha) * gradient * gradient;
    if (centered) means[i] += (1 - alpha) * (gradient - means[i]);
    const denominator = Math.sqrt(squares[i] - means[i] * means[i]) + eps;
    const ratio = gradient === 0 && denominator === 0 ? 0 : gradient / denominator;
    buffers[i] = momentum * buffers[i] + ratio;
    parameters[i] -= lr * buffers[i];
  }
}

/** Stochastic gradient descent in float64, as PyTorch's SGD with dampening 0. */

export interface SgdSettings {
  lr: number;
  momentum: number;
  weightDecay: number;
  nesterov: boolean;
}

/** One step, in place. @param buffers the momentum buffers, zeros before the first step */
export function sgdStep(
  { lr, momentum, weightDecay, nesterov }: SgdSettings,
  parameters: Float64Array,
  gradients: ArrayLike<number>,
  buffers: Float64Array,
): void {
  for (let i = 0; i < parameters.length; i++) {
    const gradient = gradients[i] + weightDecay * parameters[i];
    // PyTorch initialises the buffer with the first gradient; starting from zeros gives the same.
    buffers[i] = momentum * buffers[i] + gradient;
    parameters[i] -= lr * (nesterov ? gradient + momentum * buffers[i] : buffers[i]);
  }
}
