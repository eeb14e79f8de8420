/** What the settings of a run come to: everything that its numbers follow from. */
import { NO_AUGMENTATION, showAugmentation } from '../../base/augmentation.ts';
import { Failure } from '../../base/result.ts';
import { datasets } from '../../data/catalogue.ts';
import type { Dataset } from '../../data/dataset.ts';
import { USUAL_MIXED } from '../../engine/mixed.ts';
import type { Known } from '../../engine/ops/conv/choice/db.ts';
import { optimizers } from '../../engine/optimizers/registry.ts';
import type { Device } from '../../gpu/device.ts';
import type { DeviceSupply } from '../../gpu/supply.ts';
import { fitModel } from '../../models/model.ts';
import { resumedConfig, type Checkpoint } from '../../train/checkpoint.ts';
import type { SessionConfig } from '../../train/config.ts';
import type { RunConfig, RunMemory } from '../api.ts';
import { modelOf } from '../builder/choice.ts';
import { blankDataset, runMemory } from './memory.ts';

export interface RunSettingsOptions {
  supply: DeviceSupply;
  /** @throws Failure if the data set is not here */
  dataset(name: string): Promise<Dataset>;
  /** What searches found. */
  known(): Promise<(device: Device) => Known>;
}

export class RunSettings {
  constructor(private readonly options: RunSettingsOptions) {}

  /** Everything that such a run follows from. @throws Failure if its data are not here, or settings do not go together */
  async of(config: RunConfig): Promise<SessionConfig> {
    return this.on(await this.options.dataset(config.dataset), config);
  }

  /** What goes on from a checkpoint. @param dataset see `resumedConfig` */
  async resumed(checkpoint: Checkpoint, dataset: Dataset): Promise<SessionConfig> {
    return { ...resumedConfig(checkpoint, dataset), known: await this.options.known() };
  }

  /** @throws Failure if it is not here */
  dataset(name: string): Promise<Dataset> {
    return this.options.dataset(name);
  }

  /** The same without its images. */
  async outlineOf(config: RunConfig): Promise<SessionConfig> {
    const here = datasets.has(config.dataset);
    const dataset = here
      ? blankDataset(datasets.get(config.dataset))
      : await this.options.dataset(config.dataset);
    return this.on(dataset, config);
  }

  /** What a run would need of the GPU's memory. Its data need not be here. */
  async memory(config: RunConfig): Promise<RunMemory> {
    const dataset = blankDataset(datasets.get(config.dataset));
    return runMemory(await this.options.supply.get(), await this.on(dataset, config));
  }

  private async on(dataset: Dataset, config: RunConfig): Promise<SessionConfig> {
    const known = await this.options.known();
    const { name, ...settings } = config.optimizer;
    const { schedule, labelSmoothing, clipNorm, ema } = config;
    const stepsOf = (epochs: number) => Math.ceil((epochs * dataset.train.count) / config.batchSize);
    const lastStep = config.epochs && stepsOf(config.epochs);
    if (schedule && !lastStep)
      throw new Failure('bad-input', 'a schedule of the learning rate needs a number of epochs');
    return {
      model: fitModel(modelOf(config.model), dataset),
      dataset,
      batchSize: config.batchSize,
      optimizer: name,
      settings: { ...optimizers.get(name).defaults, ...settings },
      ...(config.augmentation ? { augmentation: config.augmentation } : {}),
      seed: config.seed,
      gradientNorms: true,
      ...(config.stops ? { stops: config.stops } : {}),
      ...(lastStep ? { lastStep } : {}),
      ...(schedule && lastStep
        ? {
            learningRate: {
              schedule: schedule.name,
              steps: lastStep,
              warmupSteps: stepsOf(schedule.warmupEpochs ?? 0),
            },
          }
        : {}),
      ...(labelSmoothing === undefined ? {} : { labelSmoothing }),
      ...(clipNorm === undefined ? {} : { clipNorm }),
      ...(ema === undefined ? {} : { ema }),
      ...(config.precision === 'mixed' ? { mixed: USUAL_MIXED } : {}),
      pins: config.pins ?? [],
      known,
    };
  }
}

/** Whether two are one run, whatever they are called. */
export const sameRun = (a: RunConfig, b: RunConfig): boolean => settingsOf(a) === settingsOf(b);

const settingsOf = ({
  model,
  dataset,
  batchSize,
  seed,
  optimizer,
  augmentation,
  stops,
  start,
  ...config
}: RunConfig): string => {
  const { name, lr, momentum, nesterov, weightDecay } = optimizer;
  const varied = showAugmentation(augmentation ?? NO_AUGMENTATION);
  const data = [model, dataset, batchSize, seed, varied];
  return JSON.stringify([
    ...data,
    name,
    lr,
    momentum,
    nesterov,
    weightDecay,
    stops?.accuracy,
    stops?.patience,
    start?.id,
    ...[config.epochs, config.schedule?.name, config.schedule?.warmupEpochs],
    ...[config.labelSmoothing, config.clipNorm, config.ema, config.precision],
  ]);
};
