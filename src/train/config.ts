import { checkAugmentation } from '../base/augmentation.ts';
import { Failure } from '../base/result.ts';
import type { Dataset } from '../data/dataset.ts';
import { averagingAt } from '../engine/average/index.ts';
import type { KnownChoices } from '../engine/ops/conv/choice/db.ts';
import type { ConvChoices, Pin } from '../engine/ops/conv/choice/layers.ts';
import { optimizers } from '../engine/optimizers/registry.ts';
import { checkScaling } from '../engine/gradients/scaling.ts';
import { USUAL_MIXED, type MixedPrecision } from '../engine/mixed.ts';
import type { StateDict } from '../engine/parameters.ts';
import type { Device } from '../gpu/device.ts';
import { fitModel, type Model } from '../models/model.ts';
import { applies, conflicts, isScheduled } from '../run/settings/rules.ts';
import type { RunSettings, SettingKey } from '../run/settings/table.ts';
import { textOf, titleOf } from '../run/settings/text.ts';
import { settingsAt, type Adjustment } from '../run/settings/adjustments.ts';
import type { Checkpoint } from './checkpoint.ts';
import { classWeightsOf } from './class-weights.ts';
import type { Fork } from './fork.ts';
import type { LearningRate } from './schedules/learning-rate.ts';
import { hasStops, stopsOf } from '../run/stops.ts';
import { whitenedWeight } from './whitened-weight.ts';

/** A run's configuration: everything that its numbers follow from. `trainingConfig` makes one from settings. */
export interface TrainingConfig extends RunSettings {
  /** Fitted to the images when the run is created. */
  model: Model;
  dataset: Dataset;
  /** Changes of live settings during the run, by step. */
  adjustments?: readonly Adjustment[];
  /** The schedule of the learning rate, in steps, whose length is also that of lookahead. Default: constant at `lr`. */
  learningRate?: LearningRate;
  /** Steps after which the run pauses by itself. Default: none. */
  lastStep?: number;
  /** Steps measure the optional metrics too, which changes no bit. Default: no. */
  measures?: boolean;
  /** Options of mixed precision, if `precision` enables it. */
  mixed?: MixedPrecision;
  /** How often a checkpoint is saved, besides the ends of epochs and every pause. Default: every 5 seconds. */
  checkpointEvery?: { steps: number } | { ms: number };
  /** Resumes from here; see `resumedConfig`. */
  from?: Checkpoint;
  /** Another run's weights to start from. */
  fork?: Fork;
  /** Parameters to start from; random from the seed otherwise. */
  initial?: StateDict;
  /** Algorithms of convolutions that were pinned by hand. */
  pins?: readonly Pin[];
  /** Bytes of workspace per convolution. Default `usualWorkspace`. */
  workspace?: number;
  /** Returns the tuning results of a device. Called once, when the run starts. */
  known?: (device: Device) => KnownChoices;
  /** The choices of a run that is repeated or resumed, instead of the above. */
  choices?: ConvChoices;
}

/**
 * The run that settings describe: epochs become steps, rounded here and nowhere else.
 * @param model not yet fitted to the images
 * @param dataset with the run's selection of images (data/select.ts)
 * @param nameOf a setting's name in messages: its option, or its title
 * @throws Failure `bad-input` if settings conflict, or the model does not fit the images
 */
export function trainingConfig(
  settings: RunSettings,
  model: Model,
  dataset: Dataset,
  nameOf?: (key: SettingKey) => string,
): TrainingConfig {
  const { batchSize, epochs, steps, schedule, warmupEpochs, stepEpochs, gamma, minLr, precision } = settings;
  const { count } = dataset.train;
  const stepsPerEpoch = count / batchSize;
  requireConsistent(settings, nameOf, stepsPerEpoch);
  const lastStep = steps ?? (epochs && Math.ceil((epochs * count) / batchSize));
  const learningRate: LearningRate | undefined =
    isScheduled(settings) && lastStep !== undefined
      ? {
          schedule,
          steps: lastStep,
          warmupSteps: Math.round(warmupEpochs * stepsPerEpoch),
          ...(schedule === 'step' && stepEpochs !== undefined
            ? { stepSize: Math.max(1, Math.round(stepEpochs * stepsPerEpoch)) }
            : {}),
          ...(schedule === 'step' ? { gamma } : {}),
          ...(applies('minLr', settings) ? { minLr } : {}),
        }
      : undefined;
  return {
    ...settings,
    model: fitModel(model, dataset),
    dataset,
    ...(lastStep === undefined ? {} : { lastStep }),
    ...(learningRate ? { learningRate } : {}),
    ...(precision === 'mixed' ? { mixed: USUAL_MIXED } : {}),
  };
}

/** @throws Failure `bad-input` naming the first conflict of settings */
export function requireConsistent(
  settings: RunSettings,
  nameOf: (key: SettingKey) => string = titleOf,
  stepsPerEpoch?: number,
): void {
  const [conflict] = conflicts(settings, stepsPerEpoch);
  if (!conflict) return;
  const { key, expected } = conflict;
  const found = textOf(key, settings[key], 'option') || 'none';
  throw new Failure('bad-input', `${nameOf(key)}: expected ${expected}, found ${found}`);
}

/**
 * @returns the configuration with the model fitted to the images
 * @throws Failure('bad-input') if model, data and settings do not fit together
 */
export function fitConfig<C extends TrainingConfig>(config: C): C {
  const { dataset, batchSize, optimizer, ema, mixed, adjustments = [] } = config;
  // Settings out of range are refused here, not at some step.
  for (const step of [0, ...adjustments.map((one) => one.step)]) {
    const settings = settingsAt(config, adjustments, step);
    optimizers.get(optimizer).stepFields(1, settings);
    checkAugmentation(settings.augmentation, dataset.shape);
  }
  requireNormalisation(dataset);
  const model = fitModel(config.model, dataset);
  if (config.whiten) whitenedWeight(model);
  if (ema !== undefined) averagingAt(ema, 1);
  classWeightsOf(config);
  if (mixed) checkScaling(mixed.scaling);
  if (!Number.isSafeInteger(batchSize) || batchSize < 1 || batchSize > 65536) {
    throw new Failure('bad-input', `expected a batch size from 1 to 65536, found ${batchSize}`);
  }
  if (hasStops(stopsOf(config)) && !dataset.test)
    throw new Failure('bad-input', `${dataset.name} has no test images for early stopping`);
  if (dataset.validation && !dataset.test)
    throw new Failure(
      'bad-input',
      `${dataset.name} has no test images beside those held back for validation`,
    );
  if (dataset.train.count < 1) throw new Failure('bad-input', `${dataset.name} has no training images`);
  return { ...config, model };
}

/** A checkpoint or a command line may bring its own. @throws Failure('bad-input') */
function requireNormalisation({ name, shape: [channels], mean, std }: Dataset): void {
  if (mean.length === channels && std.length === channels) return;
  throw new Failure(
    'bad-input',
    `${name}: expected a mean and a deviation for each of ${channels} channels, found ${mean.join()} and ${std.join()}`,
  );
}
