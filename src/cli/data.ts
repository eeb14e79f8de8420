/** The files of data sets on this machine: finding, reading and saving them. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Failure } from '../base/result.ts';
import type { Dataset, DatasetFile, DatasetInfo, FileRole } from '../data/dataset.ts';
import { fileOf, possibleNames, requiredFiles, splitOf, unpackedBytes } from '../data/files.ts';
import { gunzipIfNeeded, isGzip } from '../data/formats/gzip.ts';
import { assembleDataset } from '../data/load.ts';
import { makeFolder, writeOutput } from '../node/files.ts';
import { readBytes } from '../node/read.ts';

export interface Wanted {
  /** The folder of the files, directly or in a subfolder (see `foldersIn`). No other folder is searched then. */
  dataDir?: string | undefined;
  /** True if the test files may be missing. */
  trainOnly?: boolean;
}

/**
 * Reads a data set from `dataDir`, else from $WGRAD_DATA_DIR/<name>, else from the page's folder. Files may be gzipped
 * or not; those in `dataDir` may contain any number of images, and of several batches the first is enough.
 * @throws Failure `not-found` naming the missing files and the folders searched, `bad-file` naming the folder and the
 *   file
 */
export async function readDataset(
  info: DatasetInfo,
  { dataDir, trainOnly = false }: Wanted = {},
): Promise<Dataset> {
  const counts = dataDir === undefined ? 'published' : 'any';
  const folders = dataDir === undefined ? usualFolders(info) : foldersIn(info, dataDir);
  const needed = requiredFiles(info, counts).filter(({ role }) => !trainOnly || splitOf(role) === 'train');
  const folder = folders.find((candidate) => needed.every((file) => pathIn(candidate, file) !== undefined));
  if (folder === undefined) {
    const names = needed.map(({ name }) => name).join(', ');
    const advice =
      dataDir === undefined
        ? `Run "npm run -s wgrad -- datasets ${info.name}", or give --data-dir.`
        : info.archive &&
          `Extract them from ${info.archive.name} with "npm run -s wgrad -- datasets ${info.name} --from DIR".`;
    throw new Failure(
      'not-found',
      `${info.title}: ${names} (.gz optional) not found in ${folders.join(' or ')}`,
      advice,
    );
  }
  try {
    return await assembleDataset(info, await readFiles(info, folder), { counts, testRequired: !trainOnly });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.code, `${folder}: ${error.message}`, error.advice, { cause: error });
  }
}

/** The files of a data set in `folder`, unchanged. */
export async function readFiles(info: DatasetInfo, folder: string): Promise<Map<FileRole, Uint8Array>> {
  const files = new Map<FileRole, Uint8Array>();
  for (const file of info.files) {
    const path = pathIn(folder, file);
    if (path !== undefined) files.set(file.role, await readBytes(path));
  }
  return files;
}

/**
 * Writes a data set's files to `folder`, where the page and the command line find them, gzipped or not, as published.
 */
export async function saveFiles(
  info: DatasetInfo,
  files: ReadonlyMap<FileRole, Uint8Array>,
  folder = pageFolder(info),
): Promise<void> {
  await makeFolder(info.title, folder);
  for (const [role, bytes] of files) {
    const { name } = fileOf(info, role);
    const path = join(folder, name);
    await writeOutput(path, await asPublished(info, role, name, bytes));
  }
}

async function asPublished(
  info: DatasetInfo,
  role: FileRole,
  name: string,
  bytes: Uint8Array,
): Promise<Uint8Array> {
  if (!name.endsWith('.gz')) return gunzipIfNeeded(name, bytes, unpackedBytes(info, role));
  return isGzip(bytes) ? bytes : gzipSync(bytes, { level: 9 });
}

/** Subfolders that may contain a data set's files: the folder itself, one with the set's name, or the archive's. */
export const foldersIn = (info: DatasetInfo, folder: string): string[] =>
  [folder, join(folder, info.name)].flatMap((path) => asUnpacked(info, path));

const asUnpacked = ({ archive }: DatasetInfo, path: string): string[] =>
  archive ? [path, join(path, archive.folder)] : [path];

/** The page's folder of a data set. */
export const pageFolder = ({ name }: DatasetInfo): string => join(publicFolder(), 'datasets', name);

function usualFolders(info: DatasetInfo): string[] {
  const own = process.env['WGRAD_DATA_DIR'];
  return [...(own ? asUnpacked(info, join(own, info.name)) : []), pageFolder(info)];
}

/** The project's folder `public`, above this file or its bundle; else one in the working directory. */
export function publicFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = join(folder, 'public');
    if (existsSync(join(found, 'datasets'))) return found;
    if (folder === dirname(folder)) return join(process.cwd(), 'public');
  }
}

/** Gzipped or plain, whichever exists. */
function pathIn(folder: string, file: DatasetFile): string | undefined {
  return possibleNames(file)
    .map((name) => join(folder, name))
    .find((path) => existsSync(path));
}
