import { lazily } from '../base/lazily.ts';
import { Failure, type FailureValue } from '../base/result.ts';
import type { Dataset, DatasetFile, DatasetInfo, FileRole } from '../data/dataset.ts';
import type { DownloadOptions } from '../data/download.ts';
import { fetchBytes } from '../data/fetch-bytes.ts';
import { looksLike, publishedBytes, unpackedBytes, verifyFile } from '../data/files.ts';
import type { NamedBytes } from '../data/import.ts';
import { assembleDataset } from '../data/load.ts';
import { deleteDataset, saveDataset, savedDataset } from './dataset-cache.ts';
import type { FileStore } from './file-store.ts';

const downloading = lazily(() => import('../data/download.ts'));
const importing = lazily(() => import('../data/import.ts'));

export interface Obtained {
  dataset: Dataset;
  source: 'page' | 'storage' | 'download' | 'import';
  /** Why the files could not be saved for the next visit. The data set is ready all the same. */
  notSaved?: FailureValue;
}

export interface ObtainOptions extends DownloadOptions {
  /** The folder of the page, ending in "/": its data sets are in datasets/<name>/ below. */
  pageUrl: string;
}

const RELOAD = 'Reload the page. If the problem persists, the server’s files are missing or outdated.';

/**
 * Obtains a data set: from the page's files if it ships the set, else from storage, from the page's files (where `wgrad
 * datasets` puts them), or by download, which is then saved.
 * @throws Failure `cancelled`, `download`, `checksum` or `bad-file`
 */
export async function obtainDataset(
  info: DatasetInfo,
  store: FileStore,
  options: ObtainOptions,
): Promise<Obtained> {
  if (info.shipped) {
    const files = await fromPage(info, options);
    if (files === undefined) {
      const folder = `${options.pageUrl}datasets/${info.name}/`;
      throw new Failure('download', `${info.title}: ${folder} is missing the built-in files`, RELOAD);
    }
    return { dataset: await assembleDataset(info, files), source: 'page' };
  }

  const saved = await fromStorage(info, store);
  if (saved !== undefined) return { dataset: saved, source: 'storage' };
  const own = await fromPage(info, options);
  if (own !== undefined) return { dataset: await assembleDataset(info, own), source: 'page' };
  const { downloadDataset } = await downloading();
  const files = await downloadDataset(info, options);
  return { ...(await assembleAndSave(info, store, files)), source: 'download' };
}

/**
 * Makes a data set from the user's files, and saves them.
 * @throws Failure as `importFiles` and `assembleDataset`; then a set saved before remains
 */
export async function importDataset(
  info: DatasetInfo,
  store: FileStore,
  files: readonly NamedBytes[],
): Promise<Obtained> {
  const { importFiles } = await importing();
  return { ...(await assembleAndSave(info, store, await importFiles(info, files))), source: 'import' };
}

async function assembleAndSave(
  info: DatasetInfo,
  store: FileStore,
  files: ReadonlyMap<FileRole, Uint8Array>,
): Promise<Omit<Obtained, 'source'>> {
  const dataset = await assembleDataset(info, files);
  try {
    await saveDataset(store, info, files);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { dataset, notSaved: error.value };
  }
  return { dataset };
}

/** The saved data set, or undefined if there is none, it is damaged, or storage refuses: there are other sources. */
export async function fromStorage(info: DatasetInfo, store: FileStore): Promise<Dataset | undefined> {
  try {
    const files = await savedDataset(store, info);
    return files && (await assembleDataset(info, files));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'bad-file') await deleteDataset(store, info).catch(() => undefined);
    return undefined;
  }
}

/**
 * The page's files, or undefined if it has none. A set that the page ships must be correct; for another set, an
 * incorrect file is skipped, because a download may succeed.
 */
async function fromPage(
  info: DatasetInfo,
  options: ObtainOptions,
): Promise<Map<FileRole, Uint8Array> | undefined> {
  const total = publishedBytes(info);
  const files = new Map<FileRole, Uint8Array>();
  const received = new Map<FileRole, number>();
  const take = async (file: DatasetFile): Promise<void> => {
    const url = `${options.pageUrl}datasets/${info.name}/${file.name}`;
    const report = (bytes: number) => {
      received.set(file.role, Math.min(bytes, file.bytes));
      const sum = [...received.values()].reduce((one, other) => one + other);
      options.onProgress?.(sum, total);
    };
    try {
      const bytes = await fetchBytes(url, longest(info, file), options, report);
      // Development servers return the page itself for a missing file.
      if (!looksLike(info, file.role, bytes)) return;
      await verifyFile(info, file, url, bytes);
      report(file.bytes);
      files.set(file.role, bytes);
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'cancelled') throw error;
      if (info.shipped) throw new Failure(error.code, error.message, RELOAD, { cause: error });
    }
  };
  const bySize = [...info.files].sort((a, b) => a.bytes - b.bytes);
  // One request is enough if there are none.
  if (!info.shipped) await take(bySize[0]);
  if (!info.shipped && files.size === 0) return undefined;
  // All are over before a failure is reported, so that no progress follows it.
  const taken = await Promise.allSettled(bySize.filter(({ role }) => !files.has(role)).map(take));
  for (const one of taken) if (one.status === 'rejected') throw one.reason;
  return files.size === bySize.length ? files : undefined;
}

/** Servers may send a file unpacked; see `DatasetFile`. */
const longest = (info: DatasetInfo, file: DatasetFile): number =>
  Math.max(file.bytes, unpackedBytes(info, file.role));
