/**
 * The settings of a run, each described once. The page's form, the options of the command line, links, stored runs,
 * comparisons and the training configuration all follow from this table. To add a setting, add it here and act on its
 * value where it matters.
 */
import { NO_AUGMENTATION, type Augmentation } from '../../base/augmentation.ts';
import type { Group, Setting } from './kinds.ts';

export const SETTINGS = {
  batchSize: {
    type: 'whole',
    min: 1,
    max: 65536,
    default: 64,
    group: 'batch',
    title: 'Batch size',
    hint: 'Images per step. Larger batches give less noisy gradients.',
    short: 'batch',
  },
  optimizer: {
    type: 'choice',
    choices: { sgd: 'SGD', adam: 'Adam', adamw: 'AdamW', rmsprop: 'RMSProp', muon: 'Muon' },
    default: 'adam',
    group: 'optimizer',
    title: 'Optimiser',
    hint: 'How gradients are turned into weight updates.',
    short: 'optimiser',
  },
  lr: {
    type: 'number',
    above: 0,
    default: 0.001,
    // All of them train LeNet-5 well.
    byOptimizer: { sgd: 0.05, muon: 0.02 },
    group: 'optimizer',
    title: 'Learning rate',
    hint: 'Step size; with the one-cycle schedule, its peak. Too small trains slowly; too large diverges.',
    live: 'step',
  },
  momentum: {
    type: 'number',
    min: 0,
    below: 1,
    default: 0,
    byOptimizer: { muon: 0.95 },
    for: { optimizer: ['sgd', 'rmsprop', 'muon'] },
    group: 'optimizer',
    title: 'Momentum',
    hint: 'Fraction of the previous update carried into the next. 0.9 is typical for SGD.',
    live: 'step',
  },
  nesterov: {
    type: 'switch',
    default: false,
    for: { optimizer: ['sgd', 'muon'] },
    group: 'optimizer',
    title: 'Nesterov',
    hint: 'Use Nesterov momentum (look-ahead gradient).',
  },
  alpha: {
    type: 'number',
    min: 0,
    below: 1,
    default: 0.99,
    for: { optimizer: ['rmsprop'] },
    group: 'optimizer',
    title: 'Smoothing constant (alpha)',
    hint: 'Decay of the moving average of squared gradients.',
  },
  centered: {
    type: 'switch',
    default: false,
    for: { optimizer: ['rmsprop'] },
    group: 'optimizer',
    title: 'Centred',
    hint: 'Normalise gradients by their standard deviation instead of their root mean square.',
  },
  eps: {
    type: 'number',
    min: 0,
    default: 1e-8,
    byOptimizer: { muon: 1e-7 },
    for: { optimizer: ['adam', 'adamw', 'rmsprop', 'muon'] },
    group: 'optimizer',
    title: 'Epsilon',
    hint: 'Added to the denominator of the update, for numerical stability.',
  },
  nsSteps: {
    type: 'whole',
    min: 1,
    max: 10,
    default: 5,
    for: { optimizer: ['muon'] },
    group: 'optimizer',
    title: 'Newton–Schulz steps',
    hint: 'Iterations that bring the singular values of an update near 1.',
    option: 'ns-steps',
    short: 'ns',
  },
  rescale: {
    type: 'switch',
    default: false,
    for: { optimizer: ['muon'] },
    group: 'optimizer',
    title: 'Rescale filters',
    hint: 'Rescale each matrix to the norm sqrt(rows) before its update, instead of weight decay.',
  },
  weightDecay: {
    type: 'number',
    min: 0,
    default: 0,
    byOptimizer: { adamw: 0.01 },
    group: 'optimizer',
    title: 'Weight decay',
    hint: 'Shrinks weights towards zero to reduce overfitting.',
    live: 'step',
    short: 'decay',
  },
  decay1d: {
    type: 'switch',
    default: true,
    needs: 'weightDecay',
    group: 'optimizer',
    title: 'Decay biases and batch norm',
    hint: 'Apply weight decay to one-dimensional parameters too: biases and batch norm.',
    optionHint: 'Exclude biases and batch norm (one-dimensional parameters) from weight decay.',
    option: 'no-decay-1d',
  },
  freeze: {
    type: 'names',
    default: [],
    group: 'optimizer',
    title: 'Frozen layers',
    hint: 'Layers that are not trained, separated by commas; a name includes all layers inside it. Like requires_grad_(False) and eval() in PyTorch: running statistics of batch norm are fixed too, and dropout is off.',
  },
  lrFactors: {
    type: 'names',
    placeholder: 'NAME=X',
    default: [],
    group: 'optimizer',
    title: 'Learning rate factors',
    hint: 'Layers or parameters that learn faster or slower: fc=2 doubles the learning rate of fc, *.bias=0.1 divides that of all biases by ten, and 0 keeps the initial values.',
    option: 'lr-factors',
    short: 'factors',
  },
  decayFactors: {
    type: 'names',
    placeholder: 'NAME=X',
    default: [],
    needs: 'weightDecay',
    group: 'optimizer',
    title: 'Weight decay factors',
    hint: 'Layers or parameters that decay more or less than others: fc=10 multiplies the weight decay of fc by ten, and *.bias=0 turns it off for all biases.',
    option: 'decay-factors',
    short: 'decays',
  },
  trainedEpochs: {
    type: 'names',
    placeholder: 'NAME=FROM-TO',
    default: [],
    group: 'optimizer',
    title: 'Trained epochs',
    hint: 'Layers or parameters that are trained in some epochs only: conv1=4- trains conv1 from the fourth epoch on, and conv1.bias=1-3 its bias in the first three. In all other epochs they keep their values.',
    option: 'trained-epochs',
    short: 'trained',
  },
  augmentation: {
    type: 'augmentation',
    default: NO_AUGMENTATION,
    group: 'augmentation',
    title: 'Augmentation',
    hint: 'Random changes to training images, so the model does not memorise them. Test images are not augmented.',
    option: 'augment',
    live: 'step',
    short: 'augment',
    link: 'varied',
  },
  initialWeights: {
    type: 'line',
    short: 'weights',
    option: 'weights',
    empty: 'random',
    group: 'start',
    title: 'Initial weights',
    hint: 'A trained network to start from. Tensors that match in name and shape are loaded; the others, such as the last layer for other classes, get initial values.',
  },
  epochs: {
    type: 'whole',
    min: 1,
    empty: 'no limit',
    group: 'length',
    title: 'Epochs',
    hint: 'Passes over the training set.',
    live: 'epoch',
  },
  steps: {
    type: 'whole',
    min: 1,
    empty: 'no limit',
    hidden: true,
    group: 'length',
    title: 'Steps',
    hint: 'Steps to train, instead of epochs.',
  },
  stopAccuracy: {
    type: 'number',
    above: 0,
    max: 1,
    percent: true,
    empty: 'none',
    group: 'length',
    title: 'Target accuracy',
    hint: 'Stop early when an epoch reaches this accuracy: on the validation images if some are held back, else on the test images.',
    option: 'stop-at-accuracy',
    live: 'epoch',
    short: 'target',
    link: 'until',
  },
  patience: {
    type: 'whole',
    min: 1,
    empty: 'none',
    group: 'length',
    title: 'Early stopping patience',
    hint: 'Stop after this many epochs without a better accuracy: on the validation images if some are held back, else on the test images.',
    live: 'epoch',
  },
  schedule: {
    type: 'choice',
    choices: {
      constant: 'Constant',
      step: 'Step',
      linear: 'Linear',
      cosine: 'Cosine',
      'one-cycle': 'One-cycle',
    },
    about: {
      constant: 'stays constant',
      step: 'is multiplied by gamma every few epochs',
      linear: 'decays along a straight line',
      cosine: 'decays along half a cosine',
      'one-cycle': 'warms up to its maximum, then anneals to near zero',
    },
    default: 'constant',
    group: 'schedule',
    title: 'Learning rate schedule',
    hint: 'How the learning rate changes during the run.',
  },
  warmupEpochs: {
    type: 'number',
    min: 0,
    default: 0,
    group: 'schedule',
    title: 'Warm-up epochs',
    hint: 'Epochs over which the learning rate rises linearly before the schedule starts.',
    short: 'warmup',
  },
  stepEpochs: {
    type: 'number',
    above: 0,
    empty: 'a third of the run',
    for: { schedule: ['step'] },
    group: 'schedule',
    title: 'Epochs per learning rate step',
    hint: 'Epochs between two decays of the learning rate.',
    short: 'step',
  },
  gamma: {
    type: 'number',
    above: 0,
    default: 0.1,
    for: { schedule: ['step'] },
    group: 'schedule',
    title: 'Decay factor (gamma)',
    hint: 'The learning rate is multiplied by this at each decay.',
  },
  minLr: {
    type: 'number',
    min: 0,
    default: 0,
    for: { schedule: ['linear', 'cosine'] },
    group: 'schedule',
    title: 'Final learning rate',
    hint: 'The learning rate at the end of the run.',
    short: 'minlr',
  },
  labelSmoothing: {
    type: 'number',
    min: 0,
    max: 1,
    default: 0,
    group: 'more',
    title: 'Label smoothing',
    hint: 'Softens the target labels to reduce overconfidence; training only. 0 turns it off; 0.1 is typical.',
    short: 'smoothing',
  },
  classWeights: {
    type: 'weights',
    empty: 'none',
    group: 'more',
    title: 'Class weights',
    hint: 'How much an image counts in the loss, by its class; training only, as a weighted mean. Balanced counts rare classes more, so that all classes together count alike.',
    short: 'classweights',
  },
  clipNorm: {
    type: 'number',
    above: 0,
    empty: 'none',
    group: 'more',
    title: 'Gradient clipping (max norm)',
    hint: 'Scales gradients down to this norm, so one bad batch cannot derail training.',
    short: 'clip',
  },
  ema: {
    type: 'number',
    min: 0,
    below: 1,
    empty: 'none',
    group: 'more',
    title: 'Weight averaging (EMA decay)',
    hint: 'Predict, evaluate and save with an exponential moving average of the weights. 0.99 averages over about 100 steps.',
  },
  testViews: {
    type: 'choice',
    choices: {
      one: 'Image only',
      mirrored: 'Image and mirror image',
      shifted: 'Mirrored and shifted (6 views)',
    },
    default: 'one',
    group: 'more',
    title: 'Views at test time',
    hint: 'Tests average the logits of an image and its mirror image, or of six mirrored and shifted views: more accurate, but slower. Not suitable for digits and letters.',
    short: 'views',
  },
  precision: {
    type: 'choice',
    choices: { float32: 'float32', mixed: 'Mixed (float16 and float32)' },
    aliases: { single: 'float32' },
    default: 'float32',
    group: 'more',
    title: 'Precision',
    hint: 'Mixed stores activations in float16 (needs shader-f16), saving memory and time on large models. Accumulation stays in float32.',
  },
  convAlgorithm: {
    type: 'choice',
    choices: {
      auto: 'Automatic',
      rules: 'Rules',
      'rules-pixels': 'Rules, pixels',
      direct: 'Direct',
      fft: 'FFT',
      fft_tiling: 'FFT, tiles',
      gemm_1x1: 'GEMM, 1x1 only',
      im2col_gemm: 'im2col + GEMM',
      implicit_gemm: 'Implicit GEMM',
      winograd_f2x3: 'Winograd F(2x2, 3x3)',
      winograd_f2x5: 'Winograd F(2x2, 5x5)',
      winograd_f4x3: 'Winograd F(4x4, 3x3)',
      winograd_f4x5: 'Winograd F(4x4, 5x5)',
    },
    about: {
      auto: 'takes the result of tuning, otherwise the prediction',
      rules: 'follows published rules by filter, images and size, without measuring',
      'rules-pixels': 'follows the same rules, reading their 32 as pixels',
    },
    default: 'auto',
    group: 'more',
    title: 'Convolution algorithm',
    hint: 'How convolutions without a pin are computed; results differ in the last digits. A single algorithm must support every layer.',
    short: 'algorithm',
  },
  weightsInit: {
    type: 'choice',
    choices: {
      kaiming_uniform: 'Kaiming uniform',
      kaiming_normal: 'Kaiming normal',
      kaiming_normal_fan_in: 'Kaiming normal, fan in',
      xavier_uniform: 'Xavier uniform',
      xavier_normal: 'Xavier normal',
      dirac: 'Identity (dirac)',
    },
    empty: 'per model',
    group: 'more',
    title: 'Weight initialisation',
    hint: 'Distribution of the random initial weights.',
    short: 'init',
  },
  whiten: {
    type: 'switch',
    default: false,
    group: 'more',
    title: 'Whitening filters',
    hint: 'Initialise the filters of the first convolution with principal components of patches of the training images, and with their negatives. A learning rate factor of 0 for its weight keeps them fixed.',
  },
  validation: {
    type: 'number',
    min: 0,
    below: 1,
    percent: true,
    default: 0,
    group: 'data',
    title: 'Validation share',
    hint: 'Share of the training images, of each class alike, that is held back to choose by: early stopping and the best epoch then follow these, and the test images only judge the result.',
  },
  trainImages: {
    type: 'whole',
    min: 1,
    empty: 'all',
    group: 'data',
    title: 'Training images',
    hint: 'Train on so many of the images that are not held back, the same number of each class as far as there are enough.',
    short: 'images',
  },
  wrongLabels: {
    type: 'number',
    min: 0,
    max: 1,
    percent: true,
    default: 0,
    group: 'data',
    title: 'Wrong labels',
    hint: 'Share of the images trained on that get the label of another class. Validation and test images keep theirs.',
    short: 'wrong',
  },
  shuffle: {
    type: 'switch',
    default: true,
    group: 'data',
    title: 'Shuffle',
    hint: 'Use the training images in a new random order every epoch instead of file order.',
    optionHint: 'Use the training images in file order.',
    option: 'no-shuffle',
  },
  recompute: {
    type: 'choice',
    choices: { off: 'Off', auto: 'As needed', on: 'On' },
    default: 'auto',
    group: 'memory',
    title: 'Recomputation',
    hint: 'Recompute activations in the backward pass to save memory (gradient checkpointing); results stay the same to the last bit. “As needed” (auto) recomputes only what does not fit.',
  },
  memoryLimit: {
    type: 'bytes',
    min: 1,
    empty: 'none',
    group: 'memory',
    title: 'Memory limit',
    hint: 'Memory that the run may use, data included, in bytes or with a suffix: K, M or G.',
    short: 'memory',
  },
  seed: {
    type: 'whole',
    min: 0,
    max: 0xffffffff,
    default: 1,
    group: 'seed',
    title: 'Seed',
    hint: 'Determines initialisation, shuffling, augmentation and dropout. The same seed reproduces the run, bit for bit.',
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingKey = keyof typeof SETTINGS;
type Table = typeof SETTINGS;

type ValueOf<S> = S extends { type: 'number' | 'whole' | 'bytes' }
  ? number
  : S extends { type: 'choice'; choices: infer C }
    ? keyof C
    : S extends { type: 'line' }
      ? string
      : S extends { type: 'switch' }
        ? boolean
        : S extends { type: 'names' }
          ? readonly string[]
          : S extends { type: 'weights' }
            ? 'balanced' | readonly number[]
            : Augmentation;

/** Settings without a default. */
type OptionalKey = { [K in SettingKey]: Table[K] extends { default: unknown } ? never : K }[SettingKey];

/** Everything that a run's numbers follow from, besides its model, its data and pinned algorithms. */
export type RunSettings = { [K in Exclude<SettingKey, OptionalKey>]: ValueOf<Table[K]> } & {
  [K in OptionalKey]?: ValueOf<Table[K]> | undefined;
};

/** Settings that extend `What`. */
type KeysWith<What> = { [K in SettingKey]: Table[K] extends What ? K : never }[SettingKey];

/** Settings of a group. */
export type SettingsIn<G extends Group> = Pick<RunSettings, KeysWith<{ group: G }>>;

/** Settings that act on an open run immediately. */
export type LiveSettings = Pick<RunSettings, KeysWith<{ live: 'step' | 'epoch' }>>;
/** Those that every step reads. */
export type StepLiveSettings = Pick<RunSettings, KeysWith<{ live: 'step' }>>;

export type OptimizerName = RunSettings['optimizer'];

/** In display order. */
export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[];

/** A setting's description, if its specific type does not matter. */
export const settingOf = (key: SettingKey): Setting => SETTINGS[key];

/** A setting's name in links, and in lines of differences. */
export const shortOf = (key: SettingKey): string => settingOf(key).short ?? key;
export const linkOf = (key: SettingKey): string => settingOf(key).link ?? shortOf(key);
