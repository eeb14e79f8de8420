/** Imports the user's own images: files by folder, or zip archives. */
import { Failure } from '../../base/result.ts';
import { isZip, readZip } from '../../data/formats/zip.ts';
import {
  makeOwnDataset,
  OWN_ZIP_LIMITS,
  type OwnDataset,
  type OwnFile,
  type OwnOptions,
} from '../../data/own/make.ts';
import type { GivenFile, OwnReport, OwnRequest } from '../api.ts';

/** The largest archive that a page can hold in memory. */
const LARGEST_ARCHIVE = 2 ** 31;
/** How many skipped files are listed at most. */
const MAX_LISTED = 100;

/** @throws Failure as `makeOwnDataset`, and `bad-file` for an invalid archive */
export async function makeOwn(
  { files, from, shape }: OwnRequest,
  options: Pick<OwnOptions, 'decode' | 'onProgress' | 'signal'>,
): Promise<OwnDataset> {
  return makeOwnDataset(await openedAll(files), { ...options, from, shape });
}

/** All files, those in archives too. @throws Failure `bad-file` for an invalid archive */
export async function openedAll(files: readonly GivenFile[]): Promise<OwnFile[]> {
  const all: OwnFile[] = [];
  for (const given of files) for (const file of await opened(given)) all.push(file);
  return all;
}

export function reportOf({ info, counts, skipped }: OwnDataset): OwnReport {
  return {
    counts: info.classes.map((name, i) => ({ name, images: counts[i] })),
    skipped: skipped.slice(0, MAX_LISTED),
    more: Math.max(0, skipped.length - MAX_LISTED),
  };
}

/** The file itself, or all files of an archive, in a folder of the archive's name. */
async function opened({ path, file }: GivenFile): Promise<OwnFile[]> {
  if (!/\.zip$/i.test(path)) {
    return [{ path, bytes: file.size, read: async () => new Uint8Array(await readable(path, file)) }];
  }
  if (file.size > LARGEST_ARCHIVE) {
    throw new Failure(
      'unsupported',
      `${path} has ${file.size} bytes; at most ${LARGEST_ARCHIVE} are read`,
      'Extract it and drop the folder.',
    );
  }
  const bytes = new Uint8Array(await readable(path, file));
  if (!isZip(bytes)) throw new Failure('bad-file', `${path} is not a zip archive`);
  const folder = path.slice(0, -'.zip'.length);
  return readZip(path, bytes, OWN_ZIP_LIMITS).map((inside) => ({
    ...inside,
    path: `${folder}/${inside.path}`,
  }));
}

async function readable(path: string, file: Blob): Promise<ArrayBuffer> {
  try {
    return await file.arrayBuffer();
  } catch (cause) {
    throw new Failure('bad-file', `${path} cannot be read`, 'Do not move it during import.', { cause });
  }
}
