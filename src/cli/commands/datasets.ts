import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Failure } from '../../base/result.ts';
import { datasets } from '../../data/catalogue.ts';
import type { DatasetInfo, FileRole } from '../../data/dataset.ts';
import { downloadDataset } from '../../data/download.ts';
import {
  fileOf,
  longestBytes,
  possibleNames,
  publishedBytes,
  unpackedBytes,
  verifyFile,
} from '../../data/files.ts';
import { importFiles, type NamedBytes } from '../../data/import.ts';
import { inputFile, optional } from '../arguments.ts';
import { command } from '../command.ts';
import { readBytes } from '../../node/read.ts';
import { foldersIn, saveFiles, pageFolder, readFiles } from '../data.ts';

type State = { state: 'ready' | 'absent' } | { state: 'damaged'; message: string };

export default command({
  summary: 'List data sets, or download or import one',
  positionals: [
    { name: 'NAME', summary: 'the data set to download or import; without it, list all', required: false },
  ],
  options: {
    from: optional(
      inputFile('DIR', 'import from this folder instead of downloading; files may have any name'),
    ),
  },
  async run({ options: { from }, positionals: [name], print, note }) {
    if (name === undefined) {
      if (from !== undefined) throw new Failure('bad-input', '--from requires the name of the data set');
      for (const info of datasets.all()) print({ ...describe(info), ...(await stateOf(info)) });
      return;
    }
    const info = datasets.get(name);
    if (from !== undefined) {
      const files = await importFiles(info, await candidates(info, from));
      await saveFiles(info, files);
    } else if ((await stateOf(info)).state !== 'ready') {
      if (info.source !== undefined) {
        const names = info.archive?.name ?? info.files.map((file) => file.name).join(', ');
        throw new Failure(
          'download',
          `${info.title} is not in ${pageFolder(info)} and has no reliable download source`,
          `Get ${names} from ${info.source} and pass its folder as --from.`,
        );
      }
      if (info.mirrors.length === 0) {
        throw new Failure(
          'download',
          `${info.title} is bundled in ${pageFolder(info)}, but files there are missing or damaged`,
          'Restore them from the repository.',
        );
      }
      await saveFiles(info, await download(info, note));
    }
    const state = await stateOf(info);
    if (state.state === 'damaged') throw new Failure('checksum', state.message);
    if (state.state === 'absent')
      throw new Failure('not-found', `files of ${info.title} are missing in ${pageFolder(info)}`);
    print({ ...describe(info), ...state });
  },
});

const describe = (info: DatasetInfo) => ({
  name: info.name,
  title: info.title,
  shipped: info.shipped,
  bytes: publishedBytes(info),
  directory: pageFolder(info),
});

/** Whether all files exist with the published content. */
async function stateOf(info: DatasetInfo): Promise<State> {
  const files = await readFiles(info, pageFolder(info));
  if (files.size < info.files.length) return { state: 'absent' };
  try {
    for (const [role, bytes] of files) {
      const file = fileOf(info, role);
      await verifyFile(info, file, join(pageFolder(info), file.name), bytes);
    }
    return { state: 'ready' };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { state: 'damaged', message: error.message };
  }
}

async function download(
  info: DatasetInfo,
  note: (message: string) => void,
): Promise<Map<FileRole, Uint8Array>> {
  let reported = -1;
  const onProgress = (received: number, total: number) => {
    const tenths = Math.floor((10 * received) / total);
    if (tenths > reported) note(`${info.title}: ${tenths * 10} % of ${(total / 1e6).toFixed(1)} MB`);
    reported = Math.max(reported, tenths);
  };
  try {
    return await downloadDataset(info, { fetch, onProgress });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const names = info.files.map((file) => file.name).join(', ');
    const advice = `Try again later, or get ${names} elsewhere and pass their folder as --from.`;
    throw new Failure(error.code, error.message, advice, { cause: error });
  }
}

/** The files of a folder (see `foldersIn`) that may be the data set's or its archive, by name or size. */
async function candidates(info: DatasetInfo, from: string): Promise<NamedBytes[]> {
  const { archive } = info;
  const singly = new Set(info.files.flatMap(possibleNames).map(comparable));
  const packed = new Set(archive ? [archive.name, archive.name.replace(/\.gz$/, '')].map(comparable) : []);
  const sizes = new Set(info.files.flatMap((file) => [file.bytes, unpackedBytes(info, file.role)]));
  for (const folder of foldersIn(info, from)) {
    const found: string[] = [];
    const archives: string[] = [];
    for (const path of await filesIn(folder)) {
      const { size } = await stat(path);
      // Unrelated files are not read.
      if (size > longestBytes(info)) continue;
      const name = comparable(basename(path));
      if (singly.has(name) || sizes.has(size)) found.push(path);
      else if (packed.has(name) || size === archive?.bytes) archives.push(path);
    }
    // Users often keep the archive next to the unpacked files.
    const taken = found.length >= info.files.length ? found : [...found, ...archives];
    if (taken.length > 0) {
      return Promise.all(taken.map(async (path) => ({ name: path, bytes: await readBytes(path) })));
    }
  }
  const wanted = info.files.map((file) => file.name).join(', ');
  throw new Failure(
    'not-found',
    `${from} contains no files of ${info.title}`,
    `Expected ${wanted}, gzipped or not${archive ? `, or ${archive.name}` : ''}.`,
  );
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(folder, entry.name));
}

/** Some copies write "idx3.ubyte" or in capitals. */
const comparable = (name: string): string => name.toLowerCase().replaceAll('.', '-');
