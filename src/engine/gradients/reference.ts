/** PyTorch's clip_grad_norm_ in float64: the gradients, scaled so that their norm is `largest` at most. */
export function clipped(gradients: ArrayLike<number>, largest: number): Float64Array {
  const values = Float64Array.from(gradients);
  const norm = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return values.map((value) => value * Math.min(1, largest / (norm + 1e-6)));
}

/** A loss scale and the steps since it changed, after a step whose gradients overflowed or not. */
export function nextScaling(
  { scale, waited }: { scale: number; waited: number },
  overflowed: boolean,
  { patience, least, most }: { patience: number; least: number; most: number },
): { scale: number; waited: number } {
  if (overflowed) return { scale: Math.max(least, scale / 2), waited: 0 };
  if (waited + 1 < patience) return { scale, waited: waited + 1 };
  return { scale: Math.min(most, 2 * scale), waited: 0 };
}
