/** The data set of the person's own images: kept like the others, with its description beside its files. */
import type { DatasetInfo } from '../data/dataset.ts';
import { EMPTY_OWN } from '../data/own/info.ts';
import type { OwnDataset } from '../data/own/make.ts';
import { forgetDataset, isDatasetKept, keepDataset } from './dataset-cache.ts';
import type { FileStore } from './file-store.ts';

const INFO = `datasets/${EMPTY_OWN.name}/info.json`;

/** Keeps the set in place of the one before. @throws Failure `storage` */
export async function keepOwn(
  store: FileStore,
  { info, files }: Pick<OwnDataset, 'info' | 'files'>,
): Promise<void> {
  await keepDataset(store, info, files);
  try {
    await store.write(INFO, new TextEncoder().encode(JSON.stringify(info)));
  } catch (error) {
    await forgetDataset(store, info).catch(() => undefined);
    throw error;
  }
}

/** The kept set's description; undefined if there is none that this version wrote. Does not read the images. */
export async function keptOwnInfo(store: FileStore): Promise<DatasetInfo | undefined> {
  const bytes = await store.read(INFO);
  if (bytes === undefined || !(await isDatasetKept(store, EMPTY_OWN))) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isInfo(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** True if every field is there and of the right type. */
function isInfo(value: unknown): value is DatasetInfo {
  if (typeof value !== 'object' || value === null) return false;
  const { classes, shape, mean, std, counts, files, augmentation, ...texts } = value as Record<
    string,
    unknown
  >;
  const numbers = (list: unknown): list is number[] =>
    Array.isArray(list) && list.every((one) => typeof one === 'number');
  const holds = (thing: unknown, keys: readonly string[]) =>
    typeof thing === 'object' &&
    thing !== null &&
    keys.every((key) => typeof (thing as Record<string, unknown>)[key] === 'number');
  return (
    [shape, mean, std].every(numbers) &&
    Array.isArray(classes) &&
    classes.every((one) => typeof one === 'string') &&
    holds(counts, ['train', 'test']) &&
    holds(augmentation, Object.keys(EMPTY_OWN.augmentation ?? {})) &&
    Array.isArray(files) &&
    files.length === 2 &&
    texts['name'] === EMPTY_OWN.name &&
    ['title', 'description', 'licence'].every((key) => typeof texts[key] === 'string') &&
    texts['shipped'] === false &&
    Array.isArray(texts['mirrors'])
  );
}
