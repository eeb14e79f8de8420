/** From a run's settings to its configuration: everything that its numbers follow from. */
import { datasets } from '../../data/catalogue.ts';
import type { Dataset } from '../../data/dataset.ts';
import { selectImages } from '../../data/select.ts';
import type { KnownChoices } from '../../engine/ops/conv/choice/db.ts';
import type { Device } from '../../gpu/device.ts';
import type { DeviceSupply } from '../../gpu/supply.ts';
import { resumedConfig, type Checkpoint } from '../../train/checkpoint.ts';
import { agree, isScheduled } from '../../run/settings/rules.ts';
import { SETTING_KEYS, settingOf } from '../../run/settings/table.ts';
import { trainingConfig, type TrainingConfig } from '../../train/config.ts';
import type { RunConfig, RunMemory } from '../api.ts';
import { modelOf } from '../builder/choice.ts';
import { blankDataset, runMemory } from './memory.ts';

interface RunConfigurationsOptions {
  supply: DeviceSupply;
  /** @throws Failure if the data set is not available */
  dataset(name: string): Promise<Dataset>;
  /** The tuning results. */
  known(): Promise<(device: Device) => KnownChoices>;
}

export class RunConfigurations {
  constructor(private readonly options: RunConfigurationsOptions) {}

  /** The configuration of such a run. @throws Failure if its data are not available, or settings conflict */
  async of(config: RunConfig): Promise<TrainingConfig> {
    return this.on(await this.options.dataset(config.dataset), config);
  }

  /** A run resumed from a checkpoint. @param dataset see `resumedConfig` */
  async resumed(checkpoint: Checkpoint, dataset: Dataset): Promise<TrainingConfig> {
    const known = await this.options.known();
    const images = await selectImages(dataset, checkpoint.config);
    return { ...resumedConfig(checkpoint, images), measures: true, known };
  }

  /** @throws Failure if it is not available */
  dataset(name: string): Promise<Dataset> {
    return this.options.dataset(name);
  }

  /** The same without its images, unless they are the user's own, whose number no list has. */
  async outlineOf(config: RunConfig): Promise<TrainingConfig> {
    const here = datasets.has(config.dataset);
    const dataset = here
      ? blankDataset(datasets.get(config.dataset))
      : await this.options.dataset(config.dataset);
    return this.on(dataset, config);
  }

  /** The GPU memory that a run would need. Data of the catalogue need not be available. */
  async memory(config: RunConfig): Promise<RunMemory> {
    return runMemory(await this.options.supply.get(), await this.outlineOf(config));
  }

  private async on(dataset: Dataset, config: RunConfig): Promise<TrainingConfig> {
    const known = await this.options.known();
    const { model, pins = [], start: _start, record: _record, dataset: _name, ...settings } = config;
    const images = await selectImages(dataset, settings);
    const made = trainingConfig(settings, await modelOf(model), images);
    return { ...made, pins, known, measures: true };
  }
}

/** Whether both describe the same run: equal settings, except for the id. */
export const sameRun = (a: RunConfig, b: RunConfig): boolean =>
  sameModel(a, b) && SETTING_KEYS.every((key) => agree(key, a, b));

const LASTING = SETTING_KEYS.filter((key) => !settingOf(key).live);

/** Whether a run of one can restart as the other: they differ in settings that can change during a run, at most. */
export const sameButLive = (a: RunConfig, b: RunConfig): boolean =>
  sameModel(a, b) &&
  LASTING.every((key) => agree(key, a, b)) &&
  (!isScheduled(a) || agree('epochs', a, b)) &&
  JSON.stringify(a.pins ?? []) === JSON.stringify(b.pins ?? []);

const sameModel = (a: RunConfig, b: RunConfig): boolean =>
  JSON.stringify(a.model) === JSON.stringify(b.model) &&
  a.dataset === b.dataset &&
  a.start?.id === b.start?.id;
