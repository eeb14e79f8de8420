/** What files that a person gives are as a data set: its classes, its parts, and where the labels come from. */
import { Failure } from '../../base/result.ts';
import { readTable, type Table } from '../formats/csv.ts';
import { readingsOfArrays } from './array-sets.ts';
import { areClasses, readArrays, type ArrayFile } from './arrays.ts';
import { readingsOfPictures } from './folders.ts';
import { isPicture, openFiles, type Located, type OwnFile } from './open.ts';
import type { SetReading } from './reading.ts';
import type { PartRole } from './splits.ts';

/** What was skipped, with a reason that completes a sentence after the file's name. */
export interface Skipped {
  path: string;
  reason: string;
}

export interface Understanding {
  /** At least one; the first is meant unless it is asked. */
  readings: SetReading[];
  /** Why the person must choose one of them; undefined if the first is clearly meant. */
  question?: string;
  skipped: Skipped[];
}

/** How a person corrects what was understood. */
export interface Corrections {
  /** The id of a reading. */
  labels?: string | undefined;
  /** What parts are for, by name. */
  parts?: Readonly<Record<string, PartRole>> | undefined;
}

const TABLE = /\.(csv|tsv)$/i;
/** The largest table of labels. */
const MAX_TABLE = 2 ** 27;
/** Of arrays that are classes, no more can be of use: see `readingsOfArrays`. */
const MAX_ROWS = 100_000;

/**
 * @param what the folder or archive, for messages
 * @throws Failure `bad-input` if there are no labelled images, `bad-file` for a damaged archive or array
 */
export async function understand(what: string, given: readonly OwnFile[]): Promise<Understanding> {
  const skipped: Skipped[] = [];
  const pictures: OwnFile[] = [];
  const arrays: ArrayFile[] = [];
  const tables = new Map<string, Table>();
  const others: Located[] = [];
  const opened = await openFiles(given);
  const numpy = opened.filter(({ path }) => path.endsWith('.npy'));
  const most = (await areClasses(numpy)) ? Math.ceil(MAX_ROWS / numpy.length) : undefined;
  for (const file of opened) {
    if (await isPicture(file)) pictures.push(file);
    else {
      const found = await arraysOrTable(file, tables, most);
      if (found) arrays.push(found);
      else if (!tables.has(file.path)) others.push(file);
    }
  }
  for (const { path } of others)
    skipped.push({ path, reason: 'is neither a picture nor an array of images' });
  const note = (path: string, reason: string) => skipped.push({ path, reason });
  const inPictures = readingsOfPictures(pictures, tables);
  const inArrays = readingsOfArrays(arrays, note);
  for (const { path } of inPictures.loose) skipped.push({ path, reason: 'is not in a class folder' });
  const readings = [...inPictures.readings, ...inArrays.readings].filter(({ classes }) => classes.length > 1);
  if (readings.length === 0) throw noLabels(what, pictures.length, arrays.length, inPictures.readings);
  const isClear = readings.length === 1 || (inPictures.readings.length === 0 && inArrays.isClear);
  return { readings, skipped, ...(isClear ? {} : { question: questionOf(what, readings) }) };
}

async function arraysOrTable(
  file: OwnFile,
  tables: Map<string, Table>,
  most: number | undefined,
): Promise<ArrayFile | undefined> {
  const { path } = file;
  const found = await readArrays(file, most);
  if (found || !TABLE.test(path) || file.bytes > MAX_TABLE) return found;
  tables.set(path, readTable(path, await file.read()));
  return undefined;
}

const noLabels = (what: string, pictures: number, arrays: number, found: readonly SetReading[]): Failure => {
  const classes = found.flatMap((one) => one.classes);
  const only = classes.length === 1 ? `only ${classes[0]}` : 'none';
  return new Failure(
    'bad-input',
    `${what}: expected images of at least two classes, found ${only} in ${pictures} pictures and ${arrays} arrays`,
    'Create one folder per class, named after the class, and choose their parent folder.',
  );
};

function questionOf(what: string, readings: readonly SetReading[]): string {
  const ways = readings.map(
    ({ id, classes }) => `${id} (${classes.slice(0, 4).join(', ')}${classes.length > 4 ? ', …' : ''})`,
  );
  return `${what}: the labels may come from ${ways.join(' or ')}`;
}

/**
 * The reading that is meant, as corrected.
 * @throws Failure `bad-input` if a choice is missing or there is no such reading or part
 */
export function chosenReading(
  what: string,
  { readings, question }: Understanding,
  { labels, parts = {} }: Corrections,
): SetReading {
  if (labels === undefined && question !== undefined)
    throw new Failure('bad-input', question, `Choose by --labels ${readings.map(({ id }) => id).join('|')}.`);
  const chosen = labels === undefined ? readings[0] : readings.find(({ id }) => id === labels);
  const expected = (of: string, names: readonly string[], found: string) =>
    new Failure('bad-input', `${what}: expected ${of} ${names.join(', ')}; found ${found}`);
  if (!chosen)
    throw expected(
      'labels from',
      readings.map(({ id }) => id),
      labels ?? '',
    );
  const names = chosen.parts.map(({ name }) => name);
  const unknown = Object.keys(parts).find((name) => !names.includes(name));
  if (unknown !== undefined) throw expected('the parts', names, unknown);
  return { ...chosen, parts: chosen.parts.map((part) => ({ ...part, role: parts[part.name] ?? part.role })) };
}
