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

/** One step, in place. Where all gradients so far were 0 nothing moves, even where eps is 0 (PyTorch answers NaN). */
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
