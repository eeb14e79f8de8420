/** What files that a person gives are as a data set: its classes, its parts, and where the labels come from. */
import { Failure, unlessFailure } from '../../base/result.ts';
import { readTable, type Table } from '../formats/csv.ts';
import { readJsonLines } from '../formats/json-lines.ts';
import { readingsOfArrays } from './array-sets.ts';
import { areClasses, readArrays } from './arrays.ts';
import { classNamesIn } from './class-names.ts';
import type { ArrayFile } from './images.ts';
import { readingsOfPictures } from './folders.ts';
import { isPicture, openFiles, type OwnFile } from './open.ts';
import type { SetReading } from './reading.ts';
import { arraysOfTable } from './pixel-tables.ts';
import type { PartRole } from './splits.ts';
import { strangerKind } from './strangers.ts';

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

const TABLE = /\.(csv|tsv|txt|jsonl)$/i;
/** The largest table of labels, or of pixels as text: longer ones are no text for JavaScript. */
const MAX_TABLE = 5e8;
/** Of arrays that are classes, no more can be of use: see `readingsOfArrays`. */
const MAX_ROWS = 100_000;

const NEITHER = 'is neither a picture nor an array of images';

/** What files are, one by one. */
interface Sorted {
  pictures: OwnFile[];
  arrays: ArrayFile[];
  tables: Map<string, Table>;
}

/**
 * @param what the folder or archive, for messages
 * @throws Failure `bad-input` if there are no labelled images, `bad-file` for a file that alone is given and cannot be read
 */
export async function understand(what: string, given: readonly OwnFile[]): Promise<Understanding> {
  const skipped: Skipped[] = [];
  const failures: Failure[] = [];
  const note = (path: string, reason: string) => skipped.push({ path, reason });
  // One bad file never ends a whole set.
  const skip = (path: string, error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    failures.push(error);
    note(path, reasonOf(path, error));
  };
  const opened = await openFiles(given, skip);
  const { pictures, arrays, tables } = await sorted(opened, note, skip);
  const inPictures = readingsOfPictures(pictures, tables);
  const inArrays = readingsOfArrays(arrays, note);
  for (const path of tables.keys())
    if (!inPictures.usedTables.has(path))
      note(path, /\.txt$/i.test(path) ? NEITHER : 'is a table that names no picture');
  for (const { path } of inPictures.loose) note(path, 'is not in a class folder');
  const readings = [...inPictures.readings, ...inArrays.readings].filter(({ classes }) => classes.length > 1);
  if (readings.length === 0) {
    if (failures.length > 0 && pictures.length === 0) throw failures[0];
    throw noLabels(what, pictures.length, arrays.length, inPictures.readings, skipped);
  }
  const isClear =
    readings.length === 1 ||
    (inPictures.readings.length === 0
      ? inArrays.isClear
      : inArrays.readings.length === 0 && inPictures.isClear);
  return { readings, skipped, ...(isClear ? {} : { question: questionOf(what, readings) }) };
}

async function sorted(
  files: readonly OwnFile[],
  note: (path: string, reason: string) => void,
  skip: (path: string, error: unknown) => void,
): Promise<Sorted> {
  const found: Sorted = { pictures: [], arrays: [], tables: new Map() };
  const numpy = files.filter(({ path }) => path.endsWith('.npy'));
  let most: number | undefined;
  try {
    if (await areClasses(numpy)) most = Math.ceil(MAX_ROWS / numpy.length);
  } catch (error) {
    // Whichever it is, it is skipped below.
    unlessFailure(error);
  }
  for (const file of files) {
    const { path } = file;
    try {
      if (await isPicture(file)) found.pictures.push(file);
      else if (!(await takeArraysOrTable(file, most, found))) {
        const stranger = strangerKind(await file.read(512));
        note(path, stranger ?? NEITHER);
      }
    } catch (error) {
      skip(path, error);
    }
  }
  return found;
}

/** @returns whether a file is one of arrays, names of classes, or a table */
async function takeArraysOrTable(
  file: OwnFile,
  most: number | undefined,
  { arrays, tables }: Sorted,
): Promise<boolean> {
  const { path } = file;
  const read = await readArrays(file, most);
  if (read) arrays.push(...read);
  if (read || !TABLE.test(path) || file.bytes > MAX_TABLE) return read !== undefined;
  const bytes = await file.read();
  const names = classNamesIn(path, bytes);
  if (names) {
    arrays.push({ path, labels: [], names });
    return true;
  }
  const table = tableIn(path, bytes);
  if (!table) return false;
  const pixels = arraysOfTable(path, table);
  if (pixels) arrays.push(...pixels);
  else tables.set(path, table);
  return true;
}

/** Undefined for a text that is none. @throws Failure `bad-file` for a file named as a table that is none */
function tableIn(path: string, bytes: Uint8Array): Table | undefined {
  if (/\.jsonl$/i.test(path)) return readJsonLines(path, bytes);
  try {
    return readTable(path, bytes);
  } catch (error) {
    if (/\.txt$/i.test(path)) return unlessFailure(error);
    throw error;
  }
}

/** As it completes a sentence after the file's name. */
function reasonOf(path: string, { message }: Failure): string {
  const said = message.startsWith(path) ? message.slice(path.length).replace(/^[:,] */, '') : message;
  return /^(is|has|cannot) /.test(said.trim()) ? said.trim() : `cannot be read: ${said.trim()}`;
}

const noLabels = (
  what: string,
  pictures: number,
  arrays: number,
  found: readonly SetReading[],
  [left]: readonly Skipped[],
): Failure => {
  const classes = found.flatMap((one) => one.classes);
  const only = classes.length === 1 ? `only ${classes[0]}` : 'none';
  return new Failure(
    'bad-input',
    `${what}: expected images of at least two classes, found ${only} in ${pictures} pictures and ${arrays} arrays` +
      (left ? `; ${left.path} ${left.reason}` : ''),
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
  requireSameNames(what, chosen);
  const names = chosen.parts.map(({ name }) => name);
  const unknown = Object.keys(parts).find((name) => !names.includes(name));
  if (unknown !== undefined) throw expected('the parts', names, unknown);
  return { ...chosen, parts: chosen.parts.map((part) => ({ ...part, role: parts[part.name] ?? part.role })) };
}

/** @throws Failure `bad-input` if training and test images have the same classes but for upper and lower case */
function requireSameNames(what: string, { parts, classes }: SetReading): void {
  const lower = new Set(classes.map((name) => name.toLowerCase()));
  for (const { name, role, samples } of parts) {
    const own = [...new Set(samples.map(({ label }) => label))];
    const differs = own.length > 0 && !own.some((label) => classes.includes(label));
    if (role === 'train' || !differs || !own.every((label) => lower.has(label.toLowerCase()))) continue;
    throw new Failure(
      'bad-input',
      `${what}: expected the classes ${classes.join(', ')} in ${name} too, found ${own.join(', ')}`,
      'Give both the same names: upper and lower case differ.',
    );
  }
}
