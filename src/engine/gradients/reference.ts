/** PyTorch's clip_grad_norm_ in float64: the gradients, scaled so that their norm is `largest` at most. */
export function clipped(gradients: ArrayLike<number>, largest: number): Float64Array {
  const values = Float64Array.from(gradients);
  const norm = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return values.map((value) => value * Math.min(1, largest / (norm + 1e-6)));
}
