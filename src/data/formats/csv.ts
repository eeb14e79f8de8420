/** Tables as text (RFC 4180, and with semicolons or tabs): of pixels, or of names and labels. */
import { badFile } from '../../base/bytes.ts';

export interface Table {
  /** Names of the columns; undefined without a first line of names. */
  columns: string[] | undefined;
  rows: string[][];
}

export interface PixelTable {
  columns: string[] | undefined;
  /** Values in a row. */
  width: number;
  /** Row by row; 0 in columns of texts. */
  values: Uint8Array | Float32Array;
  /** Columns of other values than numbers, by their place. */
  texts: ReadonlyMap<number, readonly string[]>;
}

/** A row of fewer values is no image. */
export const FEWEST_PIXELS = 64;
const MAX_ROWS = 1_000_000;
/** Of a table of names and labels. */
const MAX_COLUMNS = 4096;
const LONGEST_LINE = 2 ** 20;

/** The bytes of the first line, in fields; undefined if it is not text or has only one field. */
function firstLine(bytes: Uint8Array): { fields: string[]; separator: string; end: number } | undefined {
  const end = lineEnd(bytes, 0);
  const text = textOf(bytes.subarray(0, end));
  if (text === undefined) return undefined;
  const marks = [',', ';', '\t'].toSorted((a, b) => text.split(b).length - text.split(a).length);
  // "cat/1.png 0", as lists of pictures have it.
  const separator = text.includes(marks[0]) ? marks[0] : ' ';
  const fields = fieldsOf(text.replace(/\r$/, ''), separator);
  return fields.length < 2 ? undefined : { fields, separator, end };
}

/** Where the line from `start` ends. */
function lineEnd(bytes: Uint8Array, start: number): number {
  const longest = Math.min(bytes.length, start + LONGEST_LINE);
  const newline = bytes.subarray(start, longest).indexOf(10);
  return newline < 0 ? longest : start + newline;
}

/** Undefined for bytes that are no UTF-8. */
export const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
};

/** One line without line breaks in its fields. */
function fieldsOf(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator);
  const fields: string[] = [];
  let [field, quoted] = ['', false];
  for (let i = 0; i < line.length; i++) {
    if (line[i] === '"') {
      if (quoted && line[i + 1] === '"') field += line[i++];
      else quoted = !quoted;
    } else if (line[i] === separator && !quoted) {
      fields.push(field);
      field = '';
    } else field += line[i];
  }
  return [...fields, field];
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));

/** Whether the first line has as many fields as an image. @param bytes the beginning of the file */
export const looksLikePixels = (bytes: Uint8Array): boolean =>
  (firstLine(bytes)?.fields.length ?? 0) > FEWEST_PIXELS;

/**
 * A table with a row for each image: numbers, and texts in some columns.
 * @throws Failure `bad-file` with the byte of what is wrong
 */
export function readPixelTable(name: string, bytes: Uint8Array): PixelTable {
  const first = firstLine(bytes);
  if (!first || first.fields.length <= FEWEST_PIXELS)
    throw badFile(name, 0, 'expected a table with a row of pixels for each image');
  const { fields, separator, end } = first;
  const fieldsAt = (start: number) =>
    fieldsOf((textOf(bytes.subarray(start, lineEnd(bytes, start))) ?? '').replace(/\r$/, ''), separator);
  const second = fieldsAt(end + 1);
  const columns = isHeader(fields, second) ? fields.map((field) => field.trim()) : undefined;
  const start = columns ? end + 1 : 0;
  const width = fields.length;
  const texts = new Map<number, string[]>();
  for (const [i, field] of (columns ? second : fields).entries()) if (!isNumber(field)) texts.set(i, []);
  if (texts.size > MAX_TEXTS) throw badFile(name, start, 'expected rows of numbers');
  // Small whole numbers as bytes; other values need four each, which the text has had too.
  const form = { start, width, separator, texts };
  const values =
    numbersOf(name, bytes, { ...form, whole: true }) ?? numbersOf(name, bytes, { ...form, whole: false });
  if (!values || values.length === 0) throw badFile(name, start, 'expected rows of numbers, found none');
  return { columns, width, values, texts };
}

/** The most columns of texts beside pixels. */
const MAX_TEXTS = 8;

/** Names, or numbers of columns as pandas writes them: "0, 1, 2, ...", "0, 0.1, 0.2, ...", unlike those of the next line. */
function isHeader(fields: readonly string[], next: readonly string[]): boolean {
  const numbers = fields.filter(isNumber).map(Number);
  if (2 * numbers.length < fields.length) return true;
  const counts = numbers.slice(1).every((value, i) => value === numbers[i] + 1);
  const isFractional = (values: readonly string[]) =>
    2 * values.filter((value) => isNumber(value) && !Number.isInteger(Number(value))).length > values.length;
  return counts || (isFractional(fields) && !isFractional(next) && next.length === fields.length);
}

/** The numbers of all rows; undefined if they are to be whole and one is not from 0 to 255. */
function numbersOf(
  name: string,
  bytes: Uint8Array,
  {
    start,
    width,
    separator,
    texts,
    whole,
  }: { start: number; width: number; separator: string; texts: Map<number, string[]>; whole: boolean },
): Uint8Array | Float32Array | undefined {
  // A value and what ends it take two bytes.
  const most = Math.floor((bytes.length - start + 1) / 2);
  const values = whole ? new Uint8Array(most) : new Float32Array(most);
  for (const list of texts.values()) list.length = 0;
  const comma = separator.charCodeAt(0);
  let [count, inRow, from] = [0, 0, start];
  for (let at = start; at <= bytes.length; at++) {
    const byte = at === bytes.length ? 10 : bytes[at];
    if (byte !== comma && byte !== 10) continue;
    const blank = byte === 10 && inRow === 0 && (at === from || (at === from + 1 && bytes[from] === 13));
    if (!blank) {
      const list = texts.get(inRow);
      const value = list ? 0 : numberAt(bytes, from, at);
      list?.push(plainText(bytes.subarray(from, at)));
      if (Number.isNaN(value)) throw badFile(name, from, 'expected a number');
      if (whole && !(Number.isInteger(value) && value >= 0 && value <= 255)) return undefined;
      if (inRow === width) throw badFile(name, from, `expected ${width} values in each row, found more`);
      values[count++] = value;
      inRow++;
      if (byte === 10) {
        if (inRow !== width) throw badFile(name, at, `expected ${width} values in each row, found ${inRow}`);
        inRow = 0;
      }
    }
    from = at + 1;
  }
  return values.subarray(0, count);
}

const plainText = (bytes: Uint8Array): string =>
  (textOf(bytes) ?? '')
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replaceAll('""', '"');

/** NaN for other text. */
function numberAt(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = bytes[at] - 48;
    if (digit < 0 || digit > 9 || at - from > 3) {
      if (to - from > 40) return NaN;
      const text = String.fromCharCode(...bytes.subarray(from, to)).replace(/^"(.*)"\r?$/, '$1');
      return isNumber(text) ? Number(text) : NaN;
    }
    value = 10 * value + digit;
  }
  return from === to ? NaN : value;
}

/** A table of names, labels and the like. @throws Failure `bad-file` if it is none */
export function readTable(name: string, bytes: Uint8Array): Table {
  const first = firstLine(bytes);
  const text = first && textOf(bytes);
  if (!first || text === undefined)
    throw badFile(name, 0, 'expected a table as text, with at least two columns');
  if (first.fields.length > MAX_COLUMNS)
    throw badFile(name, 0, `expected at most ${MAX_COLUMNS} columns, found ${first.fields.length}`);
  const { fields, separator } = first;
  const rows: string[][] = [];
  for (let from = text.startsWith('\uFEFF') ? 1 : 0; from < text.length;) {
    const newline = text.indexOf('\n', from);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(from, end).replace(/\r$/, '');
    from = end + 1;
    if (line === '') continue;
    if (rows.length > MAX_ROWS) throw badFile(name, 0, `expected at most ${MAX_ROWS} rows`);
    const found = line.split(separator, fields.length + MAX_MORE + 1);
    if (found.length > fields.length + MAX_MORE && !line.includes('"'))
      throw badFile(
        name,
        0,
        `expected ${fields.length} values in each row, found more in row ${rows.length + 1}`,
      );
    rows.push(fieldsOf(line, separator));
  }
  // A line of names differs from the others in having no number where they have one.
  const [head, ...others] = rows;
  return head.some(isNumber)
    ? { columns: undefined, rows }
    : { columns: head.map((field) => field.trim()), rows: others };
}

/** Values of a row beyond those of the first: some writers end it with a separator. */
const MAX_MORE = 1;
