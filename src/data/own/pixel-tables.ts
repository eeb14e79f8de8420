/** Tables with the pixels of an image in each row: in columns as Kaggle has them, or in one column as FER2013 has. */
import { Failure } from '../../base/result.ts';
import { FEWEST_PIXELS, readPixelTable, type PixelTable, type Table } from '../formats/csv.ts';
import { imagesOf, isImageShape, type ArrayFile, type ArrayLabels } from './images.ts';
import { isLabelling } from './reading.ts';
import { isLabelName, splitKind } from './splits.ts';

/** Columns that count rows, as pandas and Kaggle add them. */
const isIndexName = (name: string): boolean =>
  /^"?((unnamed.*)?|id|index|idx|no|nr|row|image_?id)"?$/i.test(name);

/** @throws Failure `bad-file` for a table without images, or whose column of labels is not clear */
export const ofPixelTable = (path: string, bytes: Uint8Array): ArrayFile[] =>
  arraysOf(path, readPixelTable(path, bytes));

/** A table with all pixels of an image in one column; undefined for other tables. */
export function arraysOfTable(path: string, { columns, rows }: Table): ArrayFile[] | undefined {
  const pixelsOf = (cell: string) => cell.trim().split(/[\s,;]+/);
  const at = rows[0]?.findIndex((cell) => pixelsOf(cell).length >= FEWEST_PIXELS) ?? -1;
  if (at < 0) return undefined;
  const others = rows[0].map((_, i) => i).filter((i) => i !== at);
  const pixels = pixelsOf(rows[0][at]).length;
  const values = new Float32Array(rows.length * (others.length + pixels));
  const texts = new Map<number, string[]>();
  rows.forEach((row, r) => {
    const numbers = pixelsOf(row[at] ?? '').map(Number);
    if (numbers.length !== pixels || numbers.some((value) => !Number.isFinite(value)))
      throw new Failure(
        'bad-file',
        `${path}: expected ${pixels} pixels in row ${r + 1}, found ${numbers.length} values`,
      );
    values.set(numbers, r * (others.length + pixels) + others.length);
  });
  others.forEach((from, i) => {
    const cells = rows.map((row) => row[from] ?? '');
    if (cells.some((cell) => cell.trim() === '' || !Number.isFinite(Number(cell)))) texts.set(i, cells);
    else cells.forEach((cell, r) => (values[r * (others.length + pixels) + i] = Number(cell)));
  });
  const names = columns && [
    ...others.map((i) => columns[i]),
    ...Array.from({ length: pixels }, () => 'pixel'),
  ];
  return arraysOf(path, { columns: names, width: others.length + pixels, values, texts }, others.length);
}

/** Labels of all rows, and the columns of the pixels that they belong to. */
interface Labelled {
  labels: Pick<ArrayLabels, 'name' | 'values'>[];
  pixels: readonly number[];
}

/** @param first where the columns of pixels begin, if that is known */
function arraysOf(path: string, table: PixelTable, first?: number): ArrayFile[] {
  const { width, values, texts } = table;
  const count = values.length / width;
  const split = [...texts].find(([, words]) => words.every((word) => splitKind(word) !== undefined));
  const kinds = split?.[1].map((word) => splitKind(word) ?? '') ?? [];
  const found = labelledIn(path, table, split?.[0], first);
  return (split ? [...new Set(kinds)] : [undefined]).map((part): ArrayFile => {
    const rows = Array.from({ length: count }, (_, i) => i).filter(
      (i) => part === undefined || kinds[i] === part,
    );
    const read = found.map(({ labels, pixels }) => ({ labels, images: imagesIn(path, table, rows, pixels) }));
    const where = part === undefined ? path : `${path}/${part}`;
    const labels = read.flatMap(({ labels: own, images }) =>
      own.map(({ name, values: all }): ArrayLabels => ({
        name,
        values: rows.map((row) => all[row]) as ArrayLabels['values'],
        ...(images ? { images } : {}),
      })),
    );
    const [{ images }] = read;
    return { path: where, names: new Map(), labels, ...(labels.length === 0 && images ? { images } : {}) };
  });
}

/** The pixels of some rows as images. */
function imagesIn(
  path: string,
  { width, values }: PixelTable,
  rows: readonly number[],
  pixels: readonly number[],
): ArrayFile['images'] {
  const size = rows.length * pixels.length;
  const own = values instanceof Uint8Array ? new Uint8Array(size) : new Float32Array(size);
  rows.forEach((row, to) =>
    pixels.forEach((at, k) => (own[to * pixels.length + k] = values[row * width + at])),
  );
  return imagesOf(path, [rows.length, pixels.length], own);
}

/** @throws Failure `bad-file` if rows are no images, or if the column of labels is not clear */
function labelledIn(
  path: string,
  { columns, width, values, texts }: PixelTable,
  split: number | undefined,
  first: number | undefined,
): Labelled[] {
  const count = values.length / width;
  const nameAt = (at: number) => columns?.[at] ?? '';
  const column = (at: number) => Float32Array.from({ length: count }, (_, i) => values[i * width + at]);
  const isImage = (pixels: number) => isImageShape([count, pixels]);
  const numeric = Array.from({ length: width }, (_, i) => i).filter((at) => !texts.has(at));
  const named = numeric.find((at) => isLabelName(nameAt(at)));
  // An index is left out where there are names of columns, or where it alone makes the rest no image.
  const isIndex = (at: number) =>
    columns ? isIndexName(nameAt(at)) : at === 0 && countsRows(column(0)) && !isImage(numeric.length);
  const rest = numeric.filter((at) => at !== named && !isIndex(at));
  const byText = [...texts].filter(([at, words]) => at !== split && isLabelling(new Set(words).size, count));
  if (isImage(rest.length) && (first === undefined || rest[0] === first)) {
    const numbers = named === undefined ? [] : [{ name: nameAt(named), values: column(named) }];
    const words = byText.map(([at, list]) => ({ name: nameAt(at) || `column ${at + 1}`, values: list }));
    return [{ labels: [...numbers, ...words], pixels: rest }];
  }
  if (named !== undefined || byText.length > 0 || !isImage(rest.length - 1))
    throw new Failure(
      'bad-file',
      `${path}: expected the pixels of square images with a label in each row, found ${width} values`,
    );
  // Without a name: numbers that label, beside the pixels.
  const beside = first === undefined ? [rest[0], rest[rest.length - 1]] : rest.filter((at) => at < first);
  const labels = beside.filter((at) => isLabels(column(at)));
  if (labels.length === 0)
    throw new Failure(
      'bad-file',
      `${path}: expected labels in the first or the last of ${width} columns`,
      'Name the column of labels "label" in the first line.',
    );
  return labels.map((at) => {
    const name = nameAt(at) || (at === rest[0] ? 'first column' : 'last column');
    return { labels: [{ name, values: column(at) }], pixels: rest.filter((one) => one !== at) };
  });
}

/** 0, 1, 2, ... or 1, 2, 3, ... */
const countsRows = (values: Float32Array): boolean =>
  (values[0] === 0 || values[0] === 1) && values.every((value, i) => value === values[0] + i);

/** Whole numbers from 0 or 1 to the number of classes, each more than once. */
function isLabels(values: Float32Array): boolean {
  const counts = new Map<number, number>();
  for (const value of values) {
    if (!Number.isInteger(value) || value < 0 || counts.size > 256) return false;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const numbers = [...counts.keys()];
  return (
    counts.size >= 2 &&
    Math.max(...numbers) - Math.min(...numbers) < 2 * counts.size &&
    [...counts.values()].every((n) => n > 1)
  );
}
