/** Tuning results of the command line: a find-db file, by default in the user's cache folder. */
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Failure } from '../base/result.ts';
import { TuningResults, type TextStore } from '../engine/ops/conv/choice/tuning-results.ts';
import { makeFolder, replaceFile } from '../node/files.ts';
import { withLock } from '../node/lock.ts';
import { isMissing, placeOf } from '../node/place.ts';
import { readBytes } from '../node/read.ts';
import { optional, text, type Option } from './arguments.ts';

export const findDbOption: Option<string | undefined> = {
  ...optional(text('FILE', `tuning results file (default ${defaultFile()})`)),
  // Every command that has the option writes the file; where one can only be read, it may have all that is needed.
  writes: (path = defaultFile()) => [
    { path: path as string, kept: true, untried: true, companions: ['.lock'] },
  ],
};

/** An entry takes some 500 bytes. */
const MAX_BYTES = 2 ** 27;

/** In the user's cache folder, by the system's convention. */
function defaultFile(): string {
  const { env, platform } = process;
  const folder =
    platform === 'win32'
      ? (env['LOCALAPPDATA'] ?? join(homedir(), 'AppData/Local'))
      : platform === 'darwin'
        ? join(homedir(), 'Library/Caches')
        : (env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'));
  return join(folder, 'wgrad/find-db.json');
}

/** The version of Dawn. */
function runtimeName(): string {
  const { version } = createRequire(import.meta.url)('webgpu/package.json') as { version: string };
  return `Node, webgpu ${version}`;
}

/**
 * Reads a find-db file, which the first result creates. Recording preserves what other processes wrote meanwhile.
 * @throws Failure `bad-file` if it exists and is another kind of file; recording throws `storage` if it cannot be
 *   written
 */
export async function openTuningResults(path = defaultFile()): Promise<TuningResults> {
  const results = new TuningResults(fileStore(path), {
    runtime: runtimeName(),
    name: path,
    onFailure: (failure) => {
      throw failure;
    },
  });
  await results.load();
  return results;
}

function fileStore(path: string): TextStore {
  const read = async (): Promise<string | undefined> => {
    try {
      return new TextDecoder().decode(await readBytes(path, MAX_BYTES));
    } catch (error) {
      if (isMissing((error as Failure).cause)) return undefined;
      throw error;
    }
  };
  return {
    read,
    async update(change) {
      try {
        await makeFolder('tuning results', dirname(path));
        // Of two processes that read, change and write at the same time, one would lose its results. They may use several links.
        const { path: target } = await placeOf(path);
        await withLock(target, async () => replaceFile(target, change(await read())));
      } catch (error) {
        if (error instanceof Failure) throw error;
        throw new Failure('storage', `${path} could not be written: ${(error as Error).message}`);
      }
    },
  };
}
