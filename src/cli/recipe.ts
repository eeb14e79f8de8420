/** Options that say how a run learns: optimiser, learning rate, loss, and how images are varied. */
import {
  AUGMENTATIONS,
  NO_AUGMENTATION,
  parseAugmentation,
  type Augmentation,
} from '../base/augmentation.ts';
import { Failure } from '../base/result.ts';
import { USUAL_MIXED } from '../engine/mixed.ts';
import type { OptimizerSettings } from '../engine/optimizers/optimizer.ts';
import { optimizers } from '../engine/optimizers/registry.ts';
import { schedules } from '../train/schedules/registry.ts';
import type { ScheduleSettings } from '../train/schedules/schedule.ts';
import type { SessionConfig } from '../train/config.ts';
import { choice, flag, optional, real, text, withDefault, type Values } from './arguments.ts';

/** Learning rates that train LeNet-5 well, for when none is given. */
const USUAL_LR: Record<string, number> = { sgd: 0.05, adam: 1e-3, adamw: 1e-3, rmsprop: 1e-3 };

const scheduleWords = schedules
  .all()
  .map(({ name, summary }) => `${name} ${summary}`)
  .join(', ');

export const recipeOptions = {
  optimizer: withDefault(choice(optimizers.names(), 'how parameters are updated'), 'adam'),
  lr: optional(
    real('X', 'learning rate; the largest for one-cycle (default: 0.05 for sgd, else 0.001)', {
      min: 0,
      above: true,
    }),
  ),
  momentum: optional(real('X', 'momentum of sgd or rmsprop (default 0)', { min: 0 })),
  nesterov: flag("sgd with Nesterov's momentum"),
  alpha: optional(
    real('X', "rmsprop: how slowly squares are forgotten, below 1 (default 0.99, PyTorch's)", {
      min: 0,
      max: 1,
    }),
  ),
  centered: flag("rmsprop divides by gradients' standard deviation"),
  eps: optional(real('X', 'added to the denominator, except for sgd (default 1e-8)', { min: 0 })),
  'weight-decay': optional(real('X', 'weight decay (default: 0.01 for adamw, else 0)', { min: 0 })),
  'no-decay-1d': flag('leaves biases and batch norm, all of one dimension, out of weight decay'),
  'clip-norm': optional(
    real('X', 'scales gradients down to this norm where theirs is larger', { min: 0, above: true }),
  ),
  ema: optional(
    real('X', 'keeps an exponential average of parameters and running statistics, to evaluate and save', {
      min: 0,
      max: 1,
    }),
  ),
  precision: withDefault(
    choice(['single', 'mixed'], 'mixed stores activations in 16 bits and scales the loss; needs shader-f16'),
    'single',
  ),
  'label-smoothing': withDefault(
    real('X', 'part of the wanted probability that all classes share; not in evaluation', { min: 0, max: 1 }),
    0,
  ),
  schedule: withDefault(choice(schedules.names(), `the learning rate: ${scheduleWords}`), 'constant'),
  'warmup-epochs': withDefault(
    real('X', 'before the schedule begins, the learning rate rises for so long', { min: 0 }),
    0,
  ),
  'step-epochs': optional(
    real('X', 'schedule step: epochs that a learning rate lasts (default: a third of the run)', {
      min: 0,
      above: true,
    }),
  ),
  gamma: optional(
    real('X', 'schedule step: what it is multiplied by then (default 0.1)', { min: 0, above: true }),
  ),
  'min-lr': optional(real('X', 'schedule cosine: the learning rate in the end (default 0)', { min: 0 })),
  augment: optional(
    text(
      AUGMENTATIONS.map(({ name, kind, usual }) => (kind === 'switch' ? name : `${name}=${usual}`)).join(','),
      'varies training images in some of these ways (default: what the data set says)',
    ),
  ),
  'no-augment': flag('leaves training images as they are'),
};

/** Options that only some optimisers or schedules know, by the setting that they are. */
const OPTIMIZER_OPTIONS = ['momentum', 'nesterov', 'alpha', 'centered', 'eps'] as const;
const SCHEDULE_OPTIONS = [
  ['step-epochs', 'stepSize'],
  ['gamma', 'gamma'],
  ['min-lr', 'minLr'],
] as const satisfies readonly (readonly [string, keyof ScheduleSettings])[];

type RecipeOptions = Values<typeof recipeOptions>;
type Recipe = Pick<
  SessionConfig,
  'optimizer' | 'settings' | 'learningRate' | 'labelSmoothing' | 'clipNorm' | 'ema' | 'mixed' | 'augmentation'
>;

interface Run {
  steps: number;
  stepsPerEpoch: number;
  /** How the data set's images are varied if nothing is said. Default: not at all. */
  augmentation?: Augmentation;
}

/**
 * @throws Failure `bad-input` naming options that do not go together
 */
export function readRecipe(options: RecipeOptions, run: Run): Recipe {
  refuseIdle(options);
  const { optimizer, 'clip-norm': clipNorm, 'label-smoothing': labelSmoothing, ema } = options;
  const { defaults } = optimizers.get(optimizer);
  const settings: OptimizerSettings = {
    ...defaults,
    lr: options.lr ?? USUAL_LR[optimizer] ?? defaults.lr,
    momentum: options.momentum ?? defaults.momentum,
    nesterov: options.nesterov,
    alpha: options.alpha ?? defaults.alpha,
    centered: options.centered,
    eps: options.eps ?? defaults.eps,
    weightDecay: options['weight-decay'] ?? defaults.weightDecay,
    decay1d: !options['no-decay-1d'],
  };
  if (!settings.decay1d && settings.weightDecay === 0) {
    throw new Failure('bad-input', '--no-decay-1d: there is no weight decay to leave them out of');
  }
  return {
    optimizer,
    settings,
    labelSmoothing,
    learningRate: learningRateOf(options, settings.lr, run),
    augmentation: augmentationOf(options, run),
    ...(clipNorm === undefined ? {} : { clipNorm }),
    ...(ema === undefined ? {} : { ema }),
    ...(options.precision === 'mixed' ? { mixed: USUAL_MIXED } : {}),
  };
}

function augmentationOf({ augment, 'no-augment': none }: RecipeOptions, run: Run): Augmentation {
  const given = readAugmentation(augment);
  if (given === undefined) return none ? NO_AUGMENTATION : (run.augmentation ?? NO_AUGMENTATION);
  if (none) throw new Failure('bad-input', 'give either --augment or --no-augment');
  return given;
}

/** What --augment says, if it is given. @throws Failure `bad-input` */
export function readAugmentation(augment: string | undefined): Augmentation | undefined {
  if (augment === undefined) return undefined;
  try {
    return parseAugmentation(augment);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.code, `--augment: ${error.message}`, error.advice, { cause: error });
  }
}

function learningRateOf(options: RecipeOptions, lr: number, { steps, stepsPerEpoch }: Run) {
  const { schedule, gamma, 'warmup-epochs': warmup, 'step-epochs': stepEpochs, 'min-lr': minLr } = options;
  const warmupSteps = Math.round(warmup * stepsPerEpoch);
  if (warmupSteps >= steps) {
    const epochs = Number((steps / stepsPerEpoch).toFixed(3));
    throw new Failure(
      'bad-input',
      `--warmup-epochs: expected less than the run's ${epochs}, found ${warmup}`,
    );
  }
  if (minLr !== undefined && minLr > lr) {
    throw new Failure('bad-input', `--min-lr: expected at most the learning rate, ${lr}, found ${minLr}`);
  }
  return {
    schedule,
    steps,
    warmupSteps,
    ...(stepEpochs === undefined ? {} : { stepSize: Math.max(1, Math.round(stepEpochs * stepsPerEpoch)) }),
    ...(gamma === undefined ? {} : { gamma }),
    ...(minLr === undefined ? {} : { minLr }),
  };
}

/** Refuses what would have no effect. A momentum of 0 is none. */
function refuseIdle(options: RecipeOptions): void {
  const { optimizer, schedule } = options;
  const knows = (list: readonly { name: string; reads: readonly string[] }[], setting: string) =>
    list.filter(({ reads }) => reads.includes(setting)).map(({ name }) => name);
  const refuse = (option: string, kind: string, names: readonly string[], found: string) => {
    if (names.includes(found)) return;
    throw new Failure('bad-input', `--${option} is for ${kind} ${names.join(', ')}; it is ${found}`);
  };
  for (const option of OPTIMIZER_OPTIONS) {
    const value = options[option];
    if (value === undefined || value === false || (option === 'momentum' && value === 0)) continue;
    refuse(option, '--optimizer', knows(optimizers.all(), option), optimizer);
  }
  for (const [option, setting] of SCHEDULE_OPTIONS) {
    if (options[option] !== undefined)
      refuse(option, '--schedule', knows(schedules.all(), setting), schedule);
  }
}
