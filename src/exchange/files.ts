/** Networks of several files, also in an archive: which of them is the network, and what the others are for. */
import { Failure } from '../base/result.ts';
import { openFiles, type OwnFile } from '../data/own/open.ts';
import { readConfig } from '../models/file/config.ts';
import { initialWeights } from '../models/file/initial.ts';
import { readLog, type TrainingLog } from '../run/metrics/log.ts';
import type { Imported } from './imported.ts';
import { importable, importNetwork, isNetwork, type ImportContext } from './importers.ts';
import { notebookFiles } from './pytorch/notebook-files.ts';

/** The largest file that is read. */
const MAX_BYTES = 2 ** 30;

/** The largest log, of half a million steps or more. */
const MAX_LOG_BYTES = 2 ** 25;

const isJson = (name: string): boolean => /\.json$/i.test(name);
const isLog = ({ path }: OwnFile): boolean => /\.(jsonl|log|txt)$/i.test(path);
const isNotebook = (path: string): boolean => /\.ipynb$/i.test(path);
const nameOf = ({ path }: OwnFile): string => path.slice(path.lastIndexOf('/') + 1);

/** What a PyTorch project begins with, and what it saves. */
const PROJECT = { start: 'start.pt', saved: 'checkpoint.pt' };

/** What says of weights beside it which network they are. */
const CONFIG = 'config.json';

/**
 * Reads the network in files that were chosen together: one file, a model or config with its weights beside it, a notebook, or an
 * archive of those. The log of its training may be with them. A model without weights gets initial ones.
 * @param context its `beside` is asked for files that are not among them
 * @throws Failure as `importNetwork`; `unsupported` if there is no network among them
 */
export async function importFiles(
  given: readonly OwnFile[],
  { model, assumed, beside = () => Promise.resolve(undefined) }: ImportContext,
): Promise<{ file: string; network: Imported; log?: TrainingLog }> {
  const files = await opened(given);
  const byName = new Map(files.map((file) => [nameOf(file), file]));
  const read = async (name: string): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    const found = byName.get(name);
    return found ? bytesOf(found) : beside(name);
  };
  const names = [...byName.keys()];
  const texts = new Map<string, string>();
  for (const name of names.filter(isJson)) texts.set(name, new TextDecoder().decode(await read(name)));
  const networks = names.filter(isNetwork);
  const file = latest(networks) ?? names.find((name) => texts.get(name)?.includes('"modelTopology"'));
  if (file !== undefined && !byName.has(CONFIG) && OF_WEIGHTS.test(file)) {
    const config = await beside(CONFIG);
    if (config) texts.set(CONFIG, new TextDecoder().decode(config));
  }
  let known: Known | undefined;
  for (const [name, text] of texts) if (name !== file) known ??= readConfig(name, text);
  if (file === undefined && !known) throw noNetwork(given, names);
  const log = await logIn(files, given);
  const found = log ? { log } : {};
  if (file === undefined)
    return { file: nameOf(given[0]), network: withInitialWeights(known as Known), ...found };
  const bytes = (await read(file)) as Uint8Array<ArrayBuffer>;
  const network = await importNetwork(file, bytes, { model, known, assumed, beside: read });
  const notes =
    file === PROJECT.saved && networks.includes(PROJECT.start)
      ? [`The weights are those that the project saved, ${file}; it began with those of ${PROJECT.start}.`]
      : [];
  return { file, network: { ...network, notes: [...notes, ...network.notes] }, ...found };
}

type Known = NonNullable<ReturnType<typeof readConfig>>;

/** Files of weights alone. */
const OF_WEIGHTS = /\.(safetensors|pt|pth|ckpt)$/i;

/** Those in archives and notebooks, too. Archives in folders are data. */
async function opened(given: readonly OwnFile[]): Promise<OwnFile[]> {
  // PyTorch's and Keras's files are zips themselves.
  const isArchive = ({ path }: OwnFile) => !isNetwork(path) && !path.includes('/');
  const files = [
    ...(await openFiles(given.filter(isArchive), refuse, 1)),
    ...given.filter((one) => !isArchive(one)),
  ];
  const inside: OwnFile[] = [];
  for (const file of files)
    if (isNotebook(file.path))
      for (const [path, bytes] of notebookFiles(nameOf(file), await bytesOf(file)))
        inside.push({ path, bytes: bytes.length, read: () => Promise.resolve(bytes) });
  // What a project saved lies beside its notebook.
  return [...inside, ...files];
}

/** Of a network no file is left out. */
function refuse(_path: string, error: unknown): never {
  throw error;
}

/** Of several networks the one that was trained last: a project resumes from what it saved. */
const latest = (networks: readonly string[]): string | undefined =>
  networks.find((name) => name === PROJECT.saved) ??
  networks.find((name) => name !== PROJECT.start) ??
  networks[0];

const withInitialWeights = ({ model, ...info }: Known): Imported => ({
  model,
  parameters: initialWeights(model),
  info,
  notes: ['There are no weights with it: these are initial weights, which have learned nothing.'],
});

/** How many files a message lists. */
const LISTED = 5;

function noNetwork(given: readonly OwnFile[], names: readonly string[]): Failure {
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : '';
  const list = names.slice(0, LISTED).join(', ') || 'no file';
  const from = given.length === 1 && list !== nameOf(given[0]) ? `${nameOf(given[0])}: ` : '';
  return new Failure(
    given.length === 0 ? 'bad-input' : 'unsupported',
    `${from}expected a file of ${importable()}, by its extension, or a folder or notebook that wgrad exported; found ${list}${more}`,
  );
}

/** The first log with steps. @throws Failure if one was chosen with weights, and none has any */
async function logIn(files: readonly OwnFile[], given: readonly OwnFile[]): Promise<TrainingLog | undefined> {
  const logs = files.filter((file) => isLog(file) && (file.bytes <= MAX_LOG_BYTES || given.includes(file)));
  for (const file of logs) {
    const log = readLog(new TextDecoder().decode(await bytesOf(file, MAX_LOG_BYTES)));
    if (log.rows.length > 0) return log;
  }
  // Among others it may be anything, such as requirements.txt.
  const chosen = given.find(isLog);
  if (!chosen || !given.every((file) => isLog(file) || isNetwork(file.path))) return undefined;
  throw new Failure(
    'bad-file',
    `${chosen.path}: expected a line such as {"step": 1, "loss": 2.3} for each step, found none`,
    'Choose what training printed, or only the weights.',
  );
}

async function bytesOf({ path, bytes, read }: OwnFile, most = MAX_BYTES): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes > most) throw new Failure('bad-file', `${path}: expected at most ${most} bytes, found ${bytes}`);
  return new Uint8Array(await read());
}
