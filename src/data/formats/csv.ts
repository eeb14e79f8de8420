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
  /** Row by row. */
  values: Uint8Array | Float32Array;
}

/** A row of fewer values is no image. */
const FEWEST_PIXELS = 64;
const MAX_ROWS = 1_000_000;
const LONGEST_LINE = 2 ** 20;

/** The bytes of the first line, in fields; undefined if it is not text or has only one field. */
function firstLine(bytes: Uint8Array): { fields: string[]; separator: string; end: number } | undefined {
  const newline = bytes.subarray(0, LONGEST_LINE).indexOf(10);
  const end = newline < 0 ? Math.min(bytes.length, LONGEST_LINE) : newline;
  const text = textOf(bytes.subarray(0, end));
  if (text === undefined) return undefined;
  const separator = [',', ';', '\t'].toSorted((a, b) => text.split(b).length - text.split(a).length)[0];
  const fields = fieldsOf(text.replace(/\r$/, ''), separator);
  return fields.length < 2 ? undefined : { fields, separator, end };
}

const textOf = (bytes: Uint8Array): string | undefined => {
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
 * A table of numbers, a row for each image.
 * @throws Failure `bad-file` with the byte of what is wrong
 */
export function readPixelTable(name: string, bytes: Uint8Array): PixelTable {
  const first = firstLine(bytes);
  if (!first || first.fields.length <= FEWEST_PIXELS)
    throw badFile(name, 0, 'expected a table with a row of pixels for each image');
  const { fields, separator, end } = first;
  const columns = fields.every(isNumber) ? undefined : fields.map((field) => field.trim());
  const start = columns ? end + 1 : 0;
  const width = fields.length;
  // Small whole numbers as bytes; other values need four each, which the text has had too.
  const values =
    numbersOf(name, bytes, { start, width, separator, whole: true }) ??
    numbersOf(name, bytes, { start, width, separator, whole: false });
  if (!values || values.length === 0) throw badFile(name, start, 'expected rows of numbers, found none');
  return { columns, width, values };
}

/** The numbers of all rows; undefined if they are to be whole and one is not from 0 to 255. */
function numbersOf(
  name: string,
  bytes: Uint8Array,
  { start, width, separator, whole }: { start: number; width: number; separator: string; whole: boolean },
): Uint8Array | Float32Array | undefined {
  // A value and what ends it take two bytes.
  const most = Math.floor((bytes.length - start + 1) / 2);
  const values = whole ? new Uint8Array(most) : new Float32Array(most);
  const comma = separator.charCodeAt(0);
  let [count, inRow, from] = [0, 0, start];
  for (let at = start; at <= bytes.length; at++) {
    const byte = at === bytes.length ? 10 : bytes[at];
    if (byte !== comma && byte !== 10) continue;
    const blank = byte === 10 && inRow === 0 && (at === from || (at === from + 1 && bytes[from] === 13));
    if (!blank) {
      const value = numberAt(bytes, from, at);
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
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/, MAX_ROWS + 2);
  if (lines.length > MAX_ROWS + 1) throw badFile(name, 0, `expected at most ${MAX_ROWS} rows`);
  const [head, ...rows] = lines.filter((line) => line !== '').map((line) => fieldsOf(line, first.separator));
  // A line of names differs from the others in having no number where they have one.
  const named = !head.some(isNumber);
  return named
    ? { columns: head.map((field) => field.trim()), rows }
    : { columns: undefined, rows: [head, ...rows] };
}
