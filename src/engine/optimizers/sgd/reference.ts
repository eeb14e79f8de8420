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
    // PyTorch starts the buffer with the first gradient: what this makes of zeros.
    buffers[i] = momentum * buffers[i] + gradient;
    parameters[i] -= lr * (nesterov ? gradient + momentum * buffers[i] : buffers[i]);
  }
}
