/** A run's data set by name: a registered one, or the user's own images. */
import { Failure } from '../base/result.ts';
import type { Shape } from '../base/shape.ts';
import { datasets } from '../data/catalogue.ts';
import type { Dataset, DatasetInfo } from '../data/dataset.ts';
import { OWN } from '../data/own/info.ts';
import type { PartRole } from '../data/own/splits.ts';
import type { Corrections } from '../data/own/understand.ts';
import { inputFile, optional, text } from './arguments.ts';
import { readDataset, type Wanted } from './data.ts';
import { readOwnDataset } from './own.ts';

/** The values of --dataset, for help and messages. */
export const datasetNames = (): string => [...datasets.names(), OWN].join(', ');

/** Where a data set is, and how labelled images of one's own are understood. */
export const dataOptions = {
  'data-dir': optional(
    inputFile(
      'DIR',
      "folder with the data set's files, or with a subfolder of the data set's name; for own, a folder, archive or array of labelled images",
    ),
  ),
  labels: optional(text('WHERE', 'for own, where the labels come from, if that is not clear')),
  splits: optional(
    text('NAME=train|test|unused,...', 'for own, what its parts are for, if not as their names say'),
  ),
};

const ROLES: readonly string[] = ['train', 'test', 'unused'] satisfies PartRole[];

/** @throws Failure `bad-input` unless `--splits` is a list of names and uses */
export function dataWanted(
  options: Readonly<Record<keyof typeof dataOptions, string | undefined>>,
): Pick<NamedWanted, 'dataDir' | 'labels' | 'parts'> {
  const pairs = options.splits?.split(',').map((pair) => pair.split('='));
  const wrong = pairs?.find(([, role = '', ...more]) => !ROLES.includes(role) || more.length > 0);
  if (wrong)
    throw new Failure(
      'bad-input',
      `--splits: expected NAME=train, NAME=test or NAME=unused, found ${wrong.join('=')}`,
    );
  return {
    dataDir: options['data-dir'],
    labels: options.labels,
    parts: pairs && (Object.fromEntries(pairs) as Record<string, PartRole>),
  };
}

export interface NamedWanted extends Wanted, Corrections {
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
    if (wanted.dataDir !== undefined)
      return readOwnDataset(wanted.dataDir, { shape, note, labels: wanted.labels, parts: wanted.parts });
    throw new Failure(
      'bad-input',
      `--dataset ${OWN} requires --data-dir DIR: labelled images, as folders, archives or arrays`,
    );
  }
  const info = datasets.get(name);
  return { info, dataset: await readDataset(info, wanted) };
}

/** For display: "CIFAR-10". */
export const titleOf = (name: string): string =>
  datasets.has(name) ? datasets.get(name).title : 'your images';
