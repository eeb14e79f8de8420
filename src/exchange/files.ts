/** Networks of several files, also in an archive: which of them is the network, and what the others are for. */
import { Failure } from '../base/result.ts';
import { openFiles, type OwnFile } from '../data/own/open.ts';
import { parseModel } from '../models/file/parse.ts';
import { readLog, type TrainingLog } from '../run/metrics/log.ts';
import type { Imported } from './imported.ts';
import { importNetwork, isNetwork, type ImportContext } from './importers.ts';

/** The largest file that is read. */
const MAX_BYTES = 2 ** 30;

/** The largest log, of half a million steps or more. */
const MAX_LOG_BYTES = 2 ** 25;

const isJson = (name: string): boolean => /\.json$/i.test(name);
const isLog = (name: string): boolean => /\.(jsonl|log|txt)$/i.test(name);
const nameOf = ({ path }: OwnFile): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * Reads the network in files that were chosen together: one file, a model with its weights beside it, or an archive of those. The log
 * of its training may be with them.
 * @param context its `beside` is asked for files that are not among them
 * @throws Failure as `importNetwork`
 */
export async function importFiles(
  given: readonly OwnFile[],
  { model, assumed, beside }: ImportContext,
): Promise<{ file: string; network: Imported; log?: TrainingLog }> {
  // PyTorch's and Keras's files are zips themselves.
  const isArchive = ({ path }: OwnFile) => /\.(zip|tar|tgz|gz)$/i.test(path) && !isNetwork(path);
  const files = [...(await openFiles(given.filter(isArchive), 1)), ...given.filter((one) => !isArchive(one))];
  const byName = new Map(files.map((file) => [nameOf(file), file]));
  const read = async (name: string): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    const found = byName.get(name);
    return found ? bytesOf(found) : beside?.(name);
  };
  const names = [...byName.keys()];
  const texts = new Map<string, string>();
  for (const name of names.filter(isJson)) texts.set(name, new TextDecoder().decode(await read(name)));
  const jsonWith = (key: string) => [...texts.keys()].find((name) => texts.get(name)?.includes(`"${key}"`));
  const file = names.find(isNetwork) ?? jsonWith('modelTopology') ?? names[0];
  const bytes = byName.has(file) ? await read(file) : undefined;
  if (!bytes) throw new Failure('bad-input', 'expected a file, found none');
  // The model of weights can be chosen with them, as export writes it.
  const json = isJson(file) ? undefined : jsonWith('layers');
  const own = json === undefined ? model : parseModel(json, texts.get(json) ?? '');
  const network = await importNetwork(file, bytes, { model: own, assumed, beside: read });
  const log = [...byName.values()].find((one) => isLog(nameOf(one)));
  return { file, network, ...(log ? { log: await logOf(log) } : {}) };
}

async function logOf(file: OwnFile): Promise<TrainingLog> {
  const log = readLog(new TextDecoder().decode(await bytesOf(file, MAX_LOG_BYTES)));
  if (log.rows.length > 0) return log;
  throw new Failure(
    'bad-file',
    `${file.path}: expected a line such as {"step": 1, "loss": 2.3} for each step, found none`,
    'Choose what training printed, or only the weights.',
  );
}

async function bytesOf({ path, bytes, read }: OwnFile, most = MAX_BYTES): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes > most) throw new Failure('bad-file', `${path}: expected at most ${most} bytes, found ${bytes}`);
  return new Uint8Array(await read());
}
