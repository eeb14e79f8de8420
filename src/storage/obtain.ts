import { lazily } from '../base/lazily.ts';
import { Failure, type FailureValue } from '../base/result.ts';
import type { Dataset, DatasetFile, DatasetInfo, FileRole } from '../data/dataset.ts';
import { downloadDataset, fetchBytes, type DownloadOptions } from '../data/download.ts';
import { looksLike, publishedBytes, unpackedBytes, verifyFile } from '../data/files.ts';
import type { NamedBytes } from '../data/import.ts';
import { assembleDataset } from '../data/load.ts';
import { deleteDataset, saveDataset, savedDataset } from './dataset-cache.ts';
import type { FileStore } from './file-store.ts';

const importing = lazily(() => import('../data/import.ts'));

export interface Obtained {
  dataset: Dataset;
  source: 'page' | 'storage' | 'download' | 'import';
  /** Why the files could not be saved for the next visit. The data set is ready all the same. */
  notSaved?: FailureValue;
}

export interface ObtainOptions extends DownloadOptions {
  /** The folder of the page, ending in "/": its own files are in datasets/<name>/ below. */
  pageUrl: string;
}

const RELOAD = 'Reload the page. If the problem persists, the server’s files are missing or outdated.';

/**
 * Makes a data set ready: from the page's own files if it ships the set, else from storage, from the page's own files
 * (where `wgrad datasets` puts them), or by download, which is then saved.
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
  const files = await downloadDataset(info, options);
  return { ...(await assembleAndSave(info, store, files)), source: 'download' };
}

/**
 * Makes a data set ready from files as the user gave them, and keeps them.
 * @throws Failure as `importFiles` and `assembleDataset`; what was saved before then stays
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

/** What was saved, or undefined if there is nothing, it was damaged, or storage refuses: there are other sources. */
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
 * The page's own files, or undefined if it has none. A set that the page ships must be right; of another set, a file that
 * is not is passed over, since the download may be better.
 */
async function fromPage(
  info: DatasetInfo,
  options: ObtainOptions,
): Promise<Map<FileRole, Uint8Array> | undefined> {
  const total = publishedBytes(info);
  const files = new Map<FileRole, Uint8Array>();
  let received = 0;
  // The smallest first: one look is enough where there are none.
  for (const file of [...info.files].sort((a, b) => a.bytes - b.bytes)) {
    const url = `${options.pageUrl}datasets/${info.name}/${file.name}`;
    const report = (bytes: number) => options.onProgress?.(received + Math.min(bytes, file.bytes), total);
    try {
      const bytes = await fetchBytes(url, longest(info, file), options, report);
      // Development servers answer a missing file with the page itself.
      if (!looksLike(info, file.role, bytes)) return undefined;
      await verifyFile(info, file, url, bytes);
      files.set(file.role, bytes);
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'cancelled') throw error;
      if (info.shipped) throw new Failure(error.code, error.message, RELOAD, { cause: error });
      return undefined;
    }
    received += file.bytes;
  }
  return files;
}

/** Servers may unpack a file on the way; see `DatasetFile`. */
const longest = (info: DatasetInfo, file: DatasetFile): number =>
  Math.max(file.bytes, unpackedBytes(info, file.role));
