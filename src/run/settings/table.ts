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
    short: 'batch',
  },
  optimizer: {
    type: 'choice',
    choices: { sgd: 'SGD', adam: 'Adam', adamw: 'AdamW', rmsprop: 'RMSProp', muon: 'Muon' },
    default: 'adam',
    group: 'optimizer',
    title: 'Optimiser',
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
    live: 'step',
  },
  nesterov: {
    type: 'switch',
    default: false,
    for: { optimizer: ['sgd', 'muon'] },
    group: 'optimizer',
    title: 'Nesterov',
  },
  alpha: {
    type: 'number',
    min: 0,
    below: 1,
    default: 0.99,
    for: { optimizer: ['rmsprop'] },
    group: 'optimizer',
    title: 'Smoothing constant (alpha)',
  },
  centered: {
    type: 'switch',
    default: false,
    for: { optimizer: ['rmsprop'] },
    group: 'optimizer',
    title: 'Centred',
  },
  nsSteps: {
    type: 'whole',
    min: 1,
    max: 10,
    default: 5,
    for: { optimizer: ['muon'] },
    group: 'optimizer',
    title: 'Newton–Schulz steps',
    option: 'ns-steps',
    short: 'ns',
  },
  rescale: {
    type: 'switch',
    default: false,
    for: { optimizer: ['muon'] },
    group: 'optimizer',
    title: 'Rescale filters',
  },
  weightDecay: {
    type: 'number',
    min: 0,
    default: 0,
    byOptimizer: { adamw: 0.01 },
    group: 'optimizer',
    title: 'Weight decay',
    live: 'step',
    short: 'decay',
  },
  decay1d: {
    type: 'switch',
    default: true,
    needs: 'weightDecay',
    group: 'optimizer',
    title: 'Decay biases and batch norm',
    optionHint: 'Exclude biases and batch norm (one-dimensional parameters) from weight decay.',
    option: 'no-decay-1d',
  },
  freeze: { type: 'names', default: [], group: 'optimizer', title: 'Frozen layers' },
  lrFactors: {
    type: 'names',
    placeholder: 'NAME=X',
    default: [],
    group: 'optimizer',
    title: 'Learning rate factors',
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
    option: 'decay-factors',
    short: 'decays',
  },
  trainedEpochs: {
    type: 'names',
    placeholder: 'NAME=FROM-TO',
    default: [],
    group: 'optimizer',
    title: 'Trained epochs',
    option: 'trained-epochs',
    short: 'trained',
  },
  eps: {
    type: 'number',
    min: 0,
    default: 1e-8,
    byOptimizer: { muon: 1e-7 },
    for: { optimizer: ['adam', 'adamw', 'rmsprop', 'muon'] },
    group: 'optimizer',
    title: 'Epsilon',
  },
  augmentation: {
    type: 'augmentation',
    default: NO_AUGMENTATION,
    group: 'augmentation',
    title: 'Augmentation',
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
  },
  epochs: { type: 'whole', min: 1, empty: 'no limit', group: 'length', title: 'Epochs', live: 'epoch' },
  steps: { type: 'whole', min: 1, empty: 'no limit', hidden: true, group: 'length', title: 'Steps' },
  stopAccuracy: {
    type: 'number',
    above: 0,
    max: 1,
    percent: true,
    empty: 'none',
    group: 'length',
    title: 'Target accuracy',
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
  },
  warmupEpochs: {
    type: 'number',
    min: 0,
    default: 0,
    group: 'schedule',
    title: 'Warm-up epochs',
    short: 'warmup',
  },
  stepEpochs: {
    type: 'number',
    above: 0,
    empty: 'a third of the run',
    for: { schedule: ['step'] },
    group: 'schedule',
    title: 'Epochs per learning rate step',
    short: 'step',
  },
  gamma: {
    type: 'number',
    above: 0,
    default: 0.1,
    for: { schedule: ['step'] },
    group: 'schedule',
    title: 'Decay factor (gamma)',
  },
  minLr: {
    type: 'number',
    min: 0,
    default: 0,
    for: { schedule: ['linear', 'cosine'] },
    group: 'schedule',
    title: 'Final learning rate',
    short: 'minlr',
  },
  labelSmoothing: {
    type: 'number',
    min: 0,
    max: 1,
    default: 0,
    group: 'more',
    title: 'Label smoothing',
    short: 'smoothing',
  },
  classWeights: {
    type: 'weights',
    empty: 'none',
    group: 'more',
    title: 'Class weights',
    short: 'classweights',
  },
  clipNorm: {
    type: 'number',
    above: 0,
    empty: 'none',
    group: 'more',
    title: 'Gradient clipping (max norm)',
    short: 'clip',
  },
  ema: {
    type: 'number',
    min: 0,
    below: 1,
    empty: 'none',
    group: 'more',
    title: 'Weight averaging (EMA decay)',
  },
  lookahead: { type: 'whole', min: 1, empty: 'none', group: 'more', title: 'Lookahead (steps)' },
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
    short: 'views',
  },
  precision: {
    type: 'choice',
    choices: { float32: 'float32', mixed: 'Mixed (float16 and float32)' },
    aliases: { single: 'float32' },
    default: 'float32',
    group: 'more',
    title: 'Precision',
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
    short: 'init',
  },
  whiten: { type: 'switch', default: false, group: 'more', title: 'Whitening filters' },
  validation: {
    type: 'number',
    min: 0,
    below: 1,
    percent: true,
    default: 0,
    group: 'data',
    title: 'Validation share',
  },
  trainImages: {
    type: 'whole',
    min: 1,
    empty: 'all',
    group: 'data',
    title: 'Training images',
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
    short: 'wrong',
  },
  shuffle: {
    type: 'switch',
    default: true,
    group: 'data',
    title: 'Shuffle',
    optionHint: 'Use the training images in file order.',
    option: 'no-shuffle',
  },
  recompute: {
    type: 'choice',
    choices: { off: 'Off', auto: 'As needed', on: 'On' },
    default: 'auto',
    group: 'memory',
    title: 'Recomputation',
  },
  memoryLimit: {
    type: 'bytes',
    min: 1,
    empty: 'none',
    group: 'memory',
    title: 'Memory limit',
    short: 'memory',
  },
  seed: { type: 'whole', min: 0, max: 0xffffffff, default: 1, group: 'seed', title: 'Seed' },
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

/** See `LiveSettings`. */
export const LIVE_KEYS = SETTING_KEYS.filter(
  (key) => settingOf(key).live !== undefined,
) as (keyof LiveSettings)[];

/** A setting's name in links, and in lines of differences. */
export const shortOf = (key: SettingKey): string => settingOf(key).short ?? key;
export const linkOf = (key: SettingKey): string => settingOf(key).link ?? shortOf(key);
