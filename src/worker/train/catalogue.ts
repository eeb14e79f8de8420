/** What there is to train with, for the page. */
import { NO_AUGMENTATION } from '../../base/augmentation.ts';
import type { DatasetInfo } from '../../data/dataset.ts';
import { publishedBytes } from '../../data/files.ts';
import { OWN } from '../../data/own/info.ts';
import { models } from '../../models/index.ts';
import { presets } from '../../train/presets/registry.ts';
import { schedules } from '../../train/schedules/registry.ts';
import type {
  DatasetEntry,
  DatasetState,
  ModelEntry,
  OptimizerEntry,
  OptimizerName,
  PresetEntry,
  ScheduleEntry,
} from '../api.ts';
import { entryOf } from '../builder/choice.ts';

export const modelEntries = (): ModelEntry[] => models.all().map(entryOf);

export const datasetEntries = (
  infos: readonly DatasetInfo[],
  statusOf: (name: string) => DatasetState,
): DatasetEntry[] =>
  infos.map((info) => ({
    name: info.name,
    title: info.title,
    description: info.description,
    licence: info.licence,
    shape: info.shape,
    classes: [...info.classes],
    counts: info.counts,
    augmentation: info.augmentation ?? NO_AUGMENTATION,
    bytes: info.archive?.bytes ?? publishedBytes(info),
    files: info.files.map(({ name }) => name),
    ...(info.archive && { archive: info.archive.name }),
    ...(info.source !== undefined && { source: info.source }),
    shipped: info.shipped,
    own: info.name === OWN,
    status: statusOf(info.name),
  }));

/** What trains at once and on any machine comes first. */
export const presetEntries = (): PresetEntry[] =>
  presets
    .all()
    .toSorted((a, b) => Number(b.light) - Number(a.light))
    .map(({ name, title, description, light, ...preset }) => {
      const { lr, momentum = 0, nesterov = false, weightDecay = 0 } = preset.settings;
      const { schedule, warmupEpochs, labelSmoothing } = preset;
      return {
        name,
        title,
        description,
        light,
        config: {
          model: preset.model,
          dataset: preset.dataset,
          batchSize: preset.batchSize,
          optimizer: { name: preset.optimizer as OptimizerName, lr, momentum, nesterov, weightDecay },
          augmentation: { ...NO_AUGMENTATION, ...preset.augmentation },
          seed: 1,
          epochs: preset.epochs,
          ...(schedule ? { schedule: { name: schedule, ...(warmupEpochs ? { warmupEpochs } : {}) } } : {}),
          ...(labelSmoothing ? { labelSmoothing } : {}),
        },
      };
    });

export const scheduleEntries = (): ScheduleEntry[] =>
  schedules.all().map(({ name, summary }) => ({ name, summary }));

/** In the order of the page's choice. The rate for SGD goes with a momentum of 0.9. */
export const OPTIMIZER_ENTRIES: OptimizerEntry[] = [
  { name: 'sgd', title: 'SGD', defaultLr: 0.01 },
  { name: 'adam', title: 'Adam', defaultLr: 0.001 },
  { name: 'adamw', title: 'AdamW', defaultLr: 0.001 },
  { name: 'rmsprop', title: 'RMSProp', defaultLr: 0.001 },
];
