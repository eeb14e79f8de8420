/** Networks of several files, also in an archive: which of them is the network, and what the others are for. */
import { Failure } from '../base/result.ts';
import { openFiles, type OwnFile } from '../data/own/open.ts';
import { parseModel } from '../models/file/parse.ts';
import type { Imported } from './imported.ts';
import { importNetwork, isNetwork, type ImportContext } from './importers.ts';

/** The largest file that is read. */
const MAX_BYTES = 2 ** 30;

const isJson = (name: string): boolean => /\.json$/i.test(name);
const nameOf = ({ path }: OwnFile): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * Reads the network in files that were chosen together: one file, a model with its weights beside it, or an archive of those.
 * @param context its `beside` is asked for files that are not among them
 * @throws Failure as `importNetwork`
 */
export async function importFiles(
  given: readonly OwnFile[],
  { model, assumed, beside }: ImportContext,
): Promise<{ file: string; network: Imported }> {
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
  return { file, network: await importNetwork(file, bytes, { model: own, assumed, beside: read }) };
}

async function bytesOf({ path, bytes, read }: OwnFile): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes > MAX_BYTES)
    throw new Failure('bad-file', `${path}: expected at most ${MAX_BYTES} bytes, found ${bytes}`);
  return new Uint8Array(await read());
}
