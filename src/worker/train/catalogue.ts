/** The catalogue of models and data sets, for the page. */
import { NO_AUGMENTATION } from '../../base/augmentation.ts';
import type { DatasetInfo } from '../../data/dataset.ts';
import { publishedBytes } from '../../data/files.ts';
import { OWN } from '../../data/own/info.ts';
import { models } from '../../models/index.ts';
import type { DatasetEntry, DatasetState, ModelEntry } from '../api.ts';
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
    ground: info.ground,
    fitted: info.fitted === true,
    augmentation: info.augmentation ?? NO_AUGMENTATION,
    bytes: info.archive?.bytes ?? publishedBytes(info),
    files: info.files.map(({ name }) => name),
    ...(info.archive && { archive: info.archive.name }),
    ...(info.source !== undefined && { source: info.source }),
    shipped: info.shipped,
    own: info.name === OWN,
    status: statusOf(info.name),
  }));
