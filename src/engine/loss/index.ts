/** Softmax cross-entropy, the mean over the batch: PyTorch's cross_entropy, and its gradient. */
import { Failure } from '../../base/result.ts';
import type { Views } from '../gather/index.ts';
import { grid, type PlanBuilder, type Tensor } from '../plan.ts';
import { sumThreads } from '../shared-sum.ts';

export interface LossTensors {
  /** [B, classes] */
  logits: Tensor;
  /** u32 [B], each below the number of classes. */
  labels: Tensor;
  /** u32 [B]: the labels of the images blended in. The step's `mix` is the weight of a label. Absent in evaluation. */
  partners?: Tensor;
  /** Pairs of float32 by metrics slot: the sum of the batch's losses, and the number of correct predictions. */
  metrics: Tensor;
  /** Like logits: the gradient of the mean loss. Absent in evaluation. */
  gradient?: Tensor;
  /** The first of these multiplies the gradient. Absent: not scaled. */
  scaling?: Tensor | undefined;
  /** 0 to 1, default 0: the share of the target probability that is spread evenly over all classes. */
  smoothing?: number;
  /** One per class: the loss is the mean with these weights, as PyTorch's. Default: all are 1. */
  weights?: readonly number[] | undefined;
}

/** Per-sample results that the loss leaves in the plan. */
export interface SampleTensors {
  /** [B]; 0 past the batch's samples. */
  losses: Tensor;
  /** u32 [B], the class with the largest logit. */
  predictions: Tensor;
}

/** Floats that a step writes to the metrics ring. */
export const METRICS_FLOATS = 2;

/**
 * Adds the loss to `plan`: two dispatches, or three with weights, that read the step's count of samples and metrics slot.
 * @throws Failure `bad-input` if the smoothing is out of range
 */
export function softmaxCrossEntropy(
  plan: PlanBuilder,
  { logits, labels, partners, metrics, gradient, scaling, smoothing = 0, weights }: LossTensors,
): SampleTensors {
  if (!(smoothing >= 0 && smoothing <= 1)) {
    throw new Failure('bad-input', `expected label smoothing from 0 to 1, found ${smoothing}`);
  }
  const [rows, classes] = logits.shape;
  const factors = weights ? weightsInBatch(plan, { labels, weights, scaling }) : scaling;
  const losses = plan.tensor('losses', [rows]);
  const predictions = plan.tensor('predictions', [rows]);
  plan.dispatch({
    label: 'softmax cross-entropy',
    kernel: {
      shader: 'loss/softmax_cross_entropy',
      constants: {
        CLASSES: classes,
        WITH_GRADIENT: gradient !== undefined,
        SMOOTHED: smoothing > 0,
        AUGMENTED: partners !== undefined,
        SCALED: factors !== undefined,
        WEIGHTED: weights !== undefined,
        Number: logits.type,
      },
    },
    tensors: {
      logits,
      labels,
      partners: partners ?? labels,
      losses,
      predictions,
      gradient: gradient ?? plan.tensor('no gradient', [1]),
      scaling: factors ?? logits,
    },
    uniforms: { rows, smoothing },
    workgroups: grid(rows, 64),
    part: { pass: 'loss' },
  });
  plan.dispatch({
    label: 'metrics',
    kernel: {
      shader: 'loss/metrics',
      constants: { AUGMENTED: partners !== undefined, THREADS: sumThreads(plan.device) },
    },
    tensors: { losses, predictions, labels, partners: partners ?? labels, metrics },
    uniforms: { rows },
    workgroups: [1, 1, 1],
    part: { pass: 'loss' },
    // Of the ring, only this step's slot.
    bytes: 4 * (3 * rows + METRICS_FLOATS),
  });
  return { losses, predictions };
}

/** Adds to `plan` the loss scale, 1 by default, and after it the classes' weights in the batch; see shaders/loss/class_weights.wgsl. */
function weightsInBatch(
  plan: PlanBuilder,
  { labels, weights, scaling }: Pick<LossTensors, 'labels' | 'scaling'> & { weights: readonly number[] },
): Tensor {
  const given = plan.constant('class weights', Float32Array.from(weights));
  const scaled = plan.tensor('class weights in the batch', [1 + weights.length]);
  plan.dispatch({
    label: 'class weights',
    kernel: {
      shader: 'loss/class_weights',
      constants: { CLASSES: weights.length, SCALED: scaling !== undefined, THREADS: sumThreads(plan.device) },
    },
    tensors: { labels, weights: given, scaling: scaling ?? given, scaled },
    uniforms: { rows: labels.shape[0] },
    workgroups: [1, 1, 1],
    part: { pass: 'loss' },
  });
  return scaled;
}

/**
 * Adds to `plan` the network's confidence: the largest probability of each sample's softmax.
 * @param logits [B, classes]
 * @returns [B]
 */
export function softmaxConfidences(plan: PlanBuilder, logits: Tensor): Tensor {
  const [rows, classes] = logits.shape;
  const confidences = plan.tensor('confidences', [rows]);
  plan.dispatch({
    label: 'confidences',
    kernel: { shader: 'loss/confidence', constants: { CLASSES: classes } },
    tensors: { logits, confidences },
    uniforms: { rows },
    workgroups: grid(rows, 64),
  });
  return confidences;
}

/**
 * Adds to `plan` the means of the logits of each image's views; see shaders/loss/views.wgsl.
 * @param logits [views x B, classes]
 * @returns [B, classes]
 */
export function meanOfViews(plan: PlanBuilder, logits: Tensor, views: Views): Tensor {
  const [count, classes] = logits.shape;
  const rows = count / views;
  const mean = plan.tensor('mean logits', [rows, classes]);
  plan.dispatch({
    label: 'mean of views',
    kernel: { shader: 'loss/views', constants: { VIEWS: views, CLASSES: classes } },
    tensors: { views: logits, logits: mean },
    uniforms: { rows },
    workgroups: grid(rows * classes, 64),
  });
  return mean;
}
