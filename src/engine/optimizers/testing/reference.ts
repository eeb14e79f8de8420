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

/** Muon in float64, by its definition: https://kellerjordan.github.io/posts/muon/ */
export interface MuonSettings {
  lr: number;
  momentum: number;
  nesterov: boolean;
  weightDecay: number;
  eps: number;
  nsSteps: number;
  /** The matrix is rescaled to the norm sqrt(rows) first, instead of decaying. */
  rescale: boolean;
}

type Matrix = readonly (readonly number[])[];

const product = (a: Matrix, b: Matrix): number[][] =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)));
const transposed = (a: Matrix): number[][] => a[0].map((_, j) => a.map((row) => row[j]));

/** One step of a matrix [rows, ...], in place. @param buffers the momentum buffers, zeros before the first step */
export function muonStep(
  { lr, momentum, nesterov, weightDecay, eps, nsSteps, rescale }: MuonSettings,
  rows: number,
  parameters: Float64Array,
  gradients: ArrayLike<number>,
  buffers: Float64Array,
): void {
  const columns = parameters.length / rows;
  const updates = Array.from(gradients, (gradient, i) => {
    buffers[i] = momentum * buffers[i] + gradient;
    return nesterov ? gradient + momentum * buffers[i] : buffers[i];
  });
  const norm = Math.hypot(...updates) + eps;
  const matrix = Array.from({ length: rows }, (_, m) =>
    updates.slice(m * columns, (m + 1) * columns).map((value) => value / norm),
  );
  let x = rows > columns ? transposed(matrix) : matrix;
  const [a, b, c] = [3.4445, -4.775, 2.0315];
  for (let step = 0; step < nsSteps; step++) {
    const y = product(x, transposed(x));
    const squares = product(y, y);
    const polynomial = y.map((row, i) => row.map((value, j) => b * value + c * squares[i][j]));
    const change = product(polynomial, x);
    x = x.map((row, i) => row.map((value, j) => a * value + change[i][j]));
  }
  const direction = (rows > columns ? transposed(x) : x).flat();
  const factor = rescale ? Math.sqrt(rows) / Math.hypot(...parameters) : 1 - lr * weightDecay;
  const adjustment = rescale ? 1 : Math.sqrt(Math.max(1, rows / columns));
  for (let i = 0; i < parameters.length; i++)
    parameters[i] = factor * parameters[i] - lr * adjustment * direction[i];
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
