import { checkAugmentation, type Augmentation } from '../base/augmentation.ts';
import { Failure } from '../base/result.ts';
import type { Dataset } from '../data/dataset.ts';
import { averagingAt } from '../engine/average/index.ts';
import type { Known } from '../engine/ops/conv/choice/db.ts';
import type { ConvChoices, Pin } from '../engine/ops/conv/choice/layers.ts';
import { optimizers } from '../engine/optimizers/registry.ts';
import { checkScaling } from '../engine/gradients/scaling.ts';
import type { MixedPrecision } from '../engine/mixed.ts';
import type { OptimizerSettings } from '../engine/optimizers/optimizer.ts';
import type { StateDict } from '../engine/parameters.ts';
import type { Device } from '../gpu/device.ts';
import type { WeightsInit } from '../engine/init.ts';
import { fitModel, type Model } from '../models/model.ts';
import { settingsAt, type Adjustment } from './adjustments.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Fork } from './fork.ts';
import type { LearningRate } from './schedules/learning-rate.ts';
import { checkStops, type Stops } from './stops.ts';

/**
 * Whether a step computes some of what its forward pass puts out again in the backward pass instead of keeping it, which
 * changes no bit. `auto`: as little as makes the run fit, and nothing where it fits as it is; `on`: as much as makes it
 * small.
 */
export const RECOMPUTE = ['off', 'auto', 'on'] as const;
export type Recompute = (typeof RECOMPUTE)[number];

/** What a run is: everything that its numbers follow from. */
export interface SessionConfig {
  /** Fitted to the images when the run is made. */
  model: Model;
  dataset: Dataset;
  batchSize: number;
  /** A registered optimiser's name. */
  optimizer: string;
  settings: OptimizerSettings;
  /** What of `settings` and `augmentation` changed on the way, by step. */
  adjustments?: readonly Adjustment[];
  /** How the learning rate changes; default: it stays as it is in `settings`. */
  learningRate?: LearningRate;
  seed: number;
  /** Default true. False takes the samples in file order. */
  shuffle?: boolean;
  /** Steps after which the run pauses by itself. Default: none. */
  lastStep?: number;
  /** 0 to 1, default 0: of the wanted probability, what all classes share. Evaluation is without it. */
  labelSmoothing?: number;
  /** How training images are varied at first. Default: not at all. Evaluation is without it. */
  augmentation?: Augmentation;
  /** Gradients with a larger norm, over all parameters, are scaled down to it. Default: none. */
  clipNorm?: number;
  /** Whether the gradients' norm is told by step. Default: no. It changes no bit. */
  gradientNorms?: boolean;
  /**
   * How slowly exponential averages of parameters and running statistics forget, 0 to below 1: then they are kept, and
   * evaluate, answer and are saved in place of the last ones. Default: none are kept.
   */
  ema?: number;
  /** How precisely activations and their gradients are stored. Default: in 32 bits, and the loss is not scaled. */
  mixed?: MixedPrecision;
  /** When the run rests before its last step. */
  stops?: Stops;
  /** How often a copy is kept, beside every epoch's end and every rest. Default: every 5 seconds. */
  keepEvery?: { steps: number } | { ms: number };
  /** Goes on from here; see `resumedConfig`. */
  from?: Checkpoint;
  /** How parameters are drawn; default: as the model says. */
  weightsInit?: WeightsInit;
  /** What another run has learnt, to begin with. */
  fork?: Fork;
  /** Parameters to start from; drawn from the seed otherwise. */
  initial?: StateDict;
  /** Convolutions whose algorithm is set by hand. */
  pins?: readonly Pin[];
  /** Bytes that a convolution may use beyond inputs and outputs. Default DEFAULT_WORKSPACE. */
  workspace?: number;
  /** Bytes of the GPU's memory that the run may take, its data included. Default: what there is. */
  memoryLimit?: number;
  /** Default 'auto'. */
  recompute?: Recompute;
  /** What searches found on a device. Asked once, when the run begins. */
  known?: (device: Device) => Known;
  /** The choices of a run that is to be repeated or continued, in place of the above. */
  choices?: ConvChoices;
}

/**
 * @returns the configuration with the model fitted to the images
 * @throws Failure('bad-input') if model, data and settings do not fit together
 */
export function fitConfig<C extends SessionConfig>(config: C): C {
  const { dataset, batchSize, optimizer, ema, mixed, stops, adjustments = [] } = config;
  // Settings out of range are refused here, not at some step.
  for (const step of [0, ...adjustments.map((one) => one.step)]) {
    const settings = settingsAt(config, step);
    optimizers.get(optimizer).stepFields(1, settings);
    checkAugmentation(settings.augmentation, dataset.shape);
  }
  if (ema !== undefined) averagingAt(ema, 1);
  if (mixed) checkScaling(mixed.scaling);
  if (!Number.isSafeInteger(batchSize) || batchSize < 1 || batchSize > 65536) {
    throw new Failure('bad-input', `expected a batch size from 1 to 65536, found ${batchSize}`);
  }
  if (stops) {
    checkStops(stops);
    if (!dataset.test)
      throw new Failure('bad-input', `${dataset.name} has no test images to judge a stop by`);
  }
  if (dataset.train.count < 1) throw new Failure('bad-input', `${dataset.name} has no training images`);
  return { ...config, model: fitModel(config.model, dataset) };
}
