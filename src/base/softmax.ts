/** The probabilities of classes: exp(logit), scaled to sum to 1. Computed in float64. */
export function softmax(logits: ArrayLike<number>): Float32Array<ArrayBuffer> {
  const values = Array.from(logits);
  const largest = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const powers = values.map((logit) => Math.exp(logit - largest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return Float32Array.from(powers, (power) => power / sum);
}
