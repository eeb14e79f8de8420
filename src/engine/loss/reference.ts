/** Softmax cross-entropy in float64: PyTorch's cross_entropy with the mean over the batch. logits [B, classes]. */

export interface CrossEntropy {
  /** Per sample, not yet divided by the number of samples; with weights, scaled so that their mean is the weighted one. */
  losses: Float64Array;
  /** The mean. */
  loss: number;
  /** Per sample, the class with the largest logit: the first of equal ones, and the first NaN if any. */
  predictions: Uint32Array;
  /** Number of samples whose prediction equals the label. */
  correct: number;
}

/**
 * @param labels the classes, one per sample; their count is the number of samples
 * @param smoothing PyTorch's label_smoothing: this share of the loss is the mean over all classes as labels
 * @param weights PyTorch's weight: of each class
 */
export function crossEntropyForward(
  logits: ArrayLike<number>,
  labels: Uint32Array,
  classes: number,
  smoothing = 0,
  weights: readonly number[] = Array<number>(classes).fill(1),
): CrossEntropy {
  const weightOfAll = labels.reduce((sum, label) => sum + weights[label], 0);
  const losses = new Float64Array(labels.length);
  const predictions = new Uint32Array(labels.length);
  labels.forEach((label, sample) => {
    const row = Float64Array.from({ length: classes }, (_, c) => logits[sample * classes + c]);
    const largest = row.reduce((a, b) => Math.max(a, b), -Infinity);
    // Minus the largest logit, so no exponential overflows.
    const sum = row.reduce((total, logit) => total + Math.exp(logit - largest), 0);
    const costs = row.map((logit, c) => weights[c] * (Math.log(sum) + largest - logit));
    losses[sample] = costs[label];
    if (smoothing > 0) {
      const mean = costs.reduce((a, b) => a + b, 0) / classes;
      losses[sample] = (1 - smoothing) * costs[label] + smoothing * mean;
    }
    losses[sample] *= labels.length / weightOfAll;
    predictions[sample] = row.findIndex((logit) => Object.is(logit, largest) || logit === largest);
  });
  return {
    losses,
    loss: losses.reduce((a, b) => a + b, 0) / labels.length,
    predictions,
    correct: predictions.reduce(
      (count, prediction, sample) => count + (prediction === labels[sample] ? 1 : 0),
      0,
    ),
  };
}

/**
 * The mean's gradient: (softmax - target) / samples, where the target is one-hot, smoothed towards the uniform
 * distribution. With weights, the target is multiplied by them, the softmax by the target's sum, and the samples count by
 * the weights of their labels.
 */
export function crossEntropyBackward(
  logits: ArrayLike<number>,
  labels: Uint32Array,
  classes: number,
  smoothing = 0,
  weights: readonly number[] = Array<number>(classes).fill(1),
): Float64Array {
  const total = labels.reduce((weight, label) => weight + weights[label], 0);
  const gradient = new Float64Array(labels.length * classes);
  labels.forEach((label, sample) => {
    const row = Float64Array.from({ length: classes }, (_, c) => logits[sample * classes + c]);
    const largest = row.reduce((a, b) => Math.max(a, b), -Infinity);
    const exponentials = row.map((logit) => Math.exp(logit - largest));
    const sum = exponentials.reduce((a, b) => a + b, 0);
    const target = weights.map(
      (weight, c) => weight * ((1 - smoothing) * (c === label ? 1 : 0) + smoothing / classes),
    );
    const mass = target.reduce((a, b) => a + b, 0);
    for (let c = 0; c < classes; c++)
      gradient[sample * classes + c] = ((exponentials[c] / sum) * mass - target[c]) / total;
  });
  return gradient;
}

/** A loss or gradient for two labels per sample: the first has weight `mix`, the second the rest. */
export const mixedLabels = (mix: number, first: Float64Array, second: Float64Array): Float64Array =>
  first.map((value, i) => mix * value + (1 - mix) * second[i]);
