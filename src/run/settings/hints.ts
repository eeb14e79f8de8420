/**
 * What each setting does, in one or two sentences: for the form and for the help of the command line. Beside the table,
 * because a page that opens shows none of them.
 */
import type { SettingKey } from './table.ts';

export const HINTS: Readonly<Record<SettingKey, string>> = {
  batchSize: 'Images per step. Larger batches give less noisy gradients.',
  optimizer: 'How gradients are turned into weight updates.',
  lr: 'Step size; with the one-cycle schedule, its peak. Too small trains slowly; too large diverges.',
  momentum: 'Fraction of the previous update carried into the next. 0.9 is typical for SGD.',
  nesterov: 'Use Nesterov momentum (look-ahead gradient).',
  alpha: 'Decay of the moving average of squared gradients.',
  centered: 'Normalise gradients by their standard deviation instead of their root mean square.',
  eps: 'Added to the denominator of the update, for numerical stability.',
  nsSteps: 'Iterations that bring the singular values of an update near 1.',
  rescale: 'Rescale each matrix to the norm sqrt(rows) before its update, instead of weight decay.',
  weightDecay: 'Shrinks weights towards zero to reduce overfitting.',
  decay1d: 'Apply weight decay to one-dimensional parameters too: biases and batch norm.',
  freeze:
    'Layers that are not trained, separated by commas; a name includes all layers inside it. Like requires_grad_(False) and eval() in PyTorch: running statistics of batch norm are fixed too, and dropout is off.',
  lrFactors:
    'Layers or parameters that learn faster or slower: fc=2 doubles the learning rate of fc, *.bias=0.1 divides that of all biases by ten, and 0 keeps the initial values.',
  decayFactors:
    'Layers or parameters that decay more or less than others: fc=10 multiplies the weight decay of fc by ten, and *.bias=0 turns it off for all biases.',
  trainedEpochs:
    'Layers or parameters that are trained in some epochs only: conv1=4- trains conv1 from the fourth epoch on, and conv1.bias=1-3 its bias in the first three. In all other epochs they keep their values.',
  augmentation:
    'Random changes to training images, so the model does not memorise them. Test images are not augmented.',
  initialWeights:
    'A trained network to start from. Tensors that match in name and shape are loaded; the others, such as the last layer for other classes, get initial values.',
  epochs: 'Passes over the training set.',
  steps: 'Steps to train, instead of epochs.',
  stopAccuracy:
    'Stop early when an epoch reaches this accuracy: on the validation images if some are held back, else on the test images.',
  patience:
    'Stop after this many epochs without a better accuracy: on the validation images if some are held back, else on the test images.',
  schedule: 'How the learning rate changes during the run.',
  warmupEpochs: 'Epochs over which the learning rate rises linearly before the schedule starts.',
  stepEpochs: 'Epochs between two decays of the learning rate.',
  gamma: 'The learning rate is multiplied by this at each decay.',
  minLr: 'The learning rate that the schedule goes down to; it would be reached one step after the last.',
  labelSmoothing:
    'Softens the target labels to reduce overconfidence; training only. 0 turns it off; 0.1 is typical.',
  classWeights:
    'How much an image counts in the loss, by its class; training only, as a weighted mean. Balanced counts rare classes more, so that all classes together count alike.',
  clipNorm:
    'Scales the gradient of all weights down to this norm if it is longer, so one bad batch cannot derail training.',
  ema: 'Predict, evaluate and save with an exponential moving average of the weights. 0.99 averages over about 100 steps, and over fewer at first, so that the initial weights are soon forgotten.',
  lookahead:
    'Every so many steps, move slow weights towards those that are trained, which continue from there; the slow ones predict, are evaluated and saved. They follow at first, and average over about 20 steps at the end of the run. 5 is typical.',
  testViews:
    'Tests average the logits of an image and its mirror image, or of six mirrored and shifted views: more accurate, but slower. Not suitable for digits and letters.',
  precision:
    'Mixed stores activations in float16 (needs shader-f16), saving memory and time on large models. Accumulation stays in float32.',
  convAlgorithm:
    'How convolutions without a pin are computed; results differ in the last digits. A single algorithm must support every layer.',
  weightsInit: 'Distribution of the random initial weights.',
  whiten:
    'Initialise the filters of the first convolution with principal components of patches of the training images, and with their negatives. A learning rate factor of 0 for its weight keeps them fixed.',
  validation:
    'Share of the training images, of each class alike, that is held back to choose by: early stopping and the best epoch then follow these, and the test images only judge the result.',
  trainImages:
    'Train on so many of the images that are not held back, the same number of each class as far as there are enough.',
  wrongLabels:
    'Share of the images trained on that get the label of another class. Validation and test images keep theirs.',
  shuffle: 'Use the training images in a new random order every epoch instead of file order.',
  recompute:
    'Recompute activations in the backward pass to save memory (gradient checkpointing); results stay the same to the last bit. “As needed” (auto) recomputes only what does not fit.',
  memoryLimit: 'Memory that the run may use, data included, in bytes or with a suffix: K, M or G.',
  seed: 'Determines initialisation, shuffling, augmentation and dropout. With the same device, browser, build, driver and choice of algorithms, the same seed reproduces the run, bit for bit; on the CPU engine, in every browser.',
};
