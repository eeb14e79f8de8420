/** A run's data set by name: a registered one, or the user's own images. */
import { Failure } from '../base/result.ts';
import type { Shape } from '../base/shape.ts';
import { datasets } from '../data/catalogue.ts';
import type { Dataset, DatasetInfo } from '../data/dataset.ts';
import { OWN } from '../data/own/info.ts';
import { readDataset, type Wanted } from './data.ts';
import { readOwnDataset } from './own.ts';

/** The values of --dataset, for help and messages. */
export const datasetNames = (): string => [...datasets.names(), OWN].join(', ');

export interface NamedWanted extends Wanted {
  /** [C, H, W] of the network's input: own images are converted to it. */
  shape: Shape;
  note(message: string): void;
}

/** @throws Failure as `readDataset` and `readOwnDataset` */
export async function readNamedDataset(
  name: string,
  { shape, note, ...wanted }: NamedWanted,
): Promise<{ info: DatasetInfo; dataset: Dataset }> {
  if (name === OWN) {
    if (wanted.dataDir !== undefined) return readOwnDataset(wanted.dataDir, shape, note);
    throw new Failure(
      'bad-input',
      `--dataset ${OWN} requires --data-dir DIR: a folder with one subfolder of PNG or JPEG images per class, or a zip of it`,
    );
  }
  const info = datasets.get(name);
  return { info, dataset: await readDataset(info, wanted) };
}

/** For display: "CIFAR-10". */
export const titleOf = (name: string): string =>
  datasets.has(name) ? datasets.get(name).title : 'your images';
