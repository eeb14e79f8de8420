/** Labels of pictures in tables beside them: which columns name pictures, labels and parts. */
import type { Table } from '../formats/csv.ts';
import { shownName } from '../formats/path.ts';
import type { OwnFile } from './open.ts';
import { isLabelling, readingOf, type Part, type Sample, type SetReading } from './reading.ts';
import { isLabelName, splitKind } from './splits.ts';

/** A part with its pictures before they have labels. */
export interface UnlabelledPart {
  name: string;
  files: readonly OwnFile[];
}

/** A table that names pictures. */
interface Naming {
  path: string;
  /** The row of each picture that it names. */
  rows: Map<OwnFile, readonly string[]>;
  /** Ways to label its rows, by name. */
  labellings: Map<string, (row: readonly string[]) => string>;
  /** The part that it says a row belongs to; undefined if it says nothing. */
  partOf: (row: readonly string[]) => string | undefined;
}

export interface TableReading extends SetReading {
  /** Whether it labels every picture that is not set aside. */
  isWhole: boolean;
  /** Whether its column is named as one of labels. */
  isNamed: boolean;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
const isPlain = (cell: string): boolean => cell === '0' || cell === '1';
/** Names are compared as people see them. */
const keyOf = (name: string): string =>
  shownName(name.trim())
    .replaceAll('\\', '/')
    .replace(/^\.?\//, '');

/** How a table in `folder` may name a picture: with or without folders and ending. */
function keysOf({ path }: OwnFile, folder: string): string[] {
  const name = nameOf(path);
  return [
    path,
    path.slice(folder.length),
    name,
    name.replace(/\.[^.]*$/, ''),
    path.split('/').slice(1).join('/'),
  ].filter((key) => key !== '');
}

/**
 * Tables that say the same of other pictures are one source, such as one for each part.
 * @returns the readings, those by a column that is named as labels first, and the paths of tables that are used
 */
export function readingsByTable(
  parts: readonly UnlabelledPart[],
  tables: ReadonlyMap<string, Table>,
): { readings: TableReading[]; used: Set<string> } {
  const pictures = parts.flatMap(({ files }) => files);
  const namings = [...tables].flatMap(([path, table]) => namingOf(path, table, pictures) ?? []);
  const sources = new Map<string, Naming[]>();
  for (const naming of namings)
    for (const label of naming.labellings.keys()) sources.set(label, [...(sources.get(label) ?? []), naming]);
  const readings = [...sources].flatMap(([label, of]) =>
    apart(of)
      .filter((together) => isLabel(label, together))
      .map((together) => readingBy(label, together, parts)),
  );
  return {
    readings: readings
      .filter(({ classes }) => classes.length > 1)
      .toSorted((a, b) => Number(b.isNamed) - Number(a.isNamed)),
    used: new Set(namings.map(({ path }) => path)),
  };
}

/** Whether the values of a column are classes, and no names or measures. */
function isLabel(label: string, namings: readonly Naming[]): boolean {
  const values = namings.flatMap(({ rows, labellings }) =>
    [...rows.values()].map((row) => labellings.get(label)?.(row)),
  );
  return isLabelling(new Set(values).size, values.length);
}

/** Tables of the same pictures are sources of their own. */
function apart(namings: readonly Naming[]): Naming[][] {
  const groups: Naming[][] = [];
  for (const naming of namings) {
    const group = groups.find((one) =>
      one.every(({ rows }) => ![...naming.rows.keys()].some((file) => rows.has(file))),
    );
    if (group) group.push(naming);
    else groups.push([naming]);
  }
  return groups;
}

/** Undefined if most rows name no picture, or if nothing in them is a label. */
function namingOf(path: string, table: Table, pictures: readonly OwnFile[]): Naming | undefined {
  const folder = folderOf(path);
  // Parts often have pictures of the same names, each with its table.
  const inside = pictures.filter((file) => file.path.startsWith(folder));
  for (const near of inside.length < pictures.length && inside.length > 0 ? [inside, pictures] : [pictures]) {
    const files = new Map(near.flatMap((file) => keysOf(file, folder).map((key) => [key, file])));
    // A first line with the name of a picture is a row.
    const isRow = table.columns?.some((cell) => files.has(keyOf(cell))) === true;
    const columns = isRow ? undefined : table.columns;
    const rows = isRow && table.columns ? [table.columns, ...table.rows] : table.rows;
    const width = columns?.length ?? rows[0]?.length ?? 0;
    const places = Array.from({ length: width }, (_, i) => i);
    const at = places.find(
      (i) => rows.length > 1 && 2 * rows.filter((row) => files.has(keyOf(row[i] ?? ''))).length > rows.length,
    );
    if (at === undefined) continue;
    const named = new Map(
      rows.flatMap((row): [OwnFile, string[]][] => {
        const file = files.get(keyOf(row[at] ?? ''));
        return file ? [[file, row]] : [];
      }),
    );
    const others = places.filter((i) => i !== at);
    return { path, rows: named, ...meaningOf(columns, [...named.values()], others, path) };
  }
  return undefined;
}

/** What columns say: one that names parts, columns of which each row has one 1, and other labels. */
function meaningOf(
  columns: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
  places: readonly number[],
  path: string,
): Pick<Naming, 'labellings' | 'partOf'> {
  const cell = (row: readonly string[], i: number) => (row[i] ?? '').trim();
  const split = places.find((i) => rows.every((row) => splitKind(cell(row, i)) !== undefined));
  const labellings: Naming['labellings'] = new Map();
  const flags = places.filter((i) => columns && rows.every((row) => isPlain(cell(row, i))));
  const isOneHot =
    flags.length > 1 && rows.every((row) => flags.filter((i) => cell(row, i) === '1').length === 1);
  if (isOneHot)
    labellings.set(
      'columns',
      (row) => columns?.[flags.find((i) => cell(row, i) === '1') ?? -1]?.trim() ?? '',
    );
  for (const i of places) {
    if (i === split || (isOneHot && flags.includes(i))) continue;
    labellings.set(columns?.[i] ?? `column ${i + 1}`, (row) => cell(row, i));
  }
  const ofTable = splitKind(nameOf(path));
  return { labellings, partOf: (row) => (split === undefined ? ofTable : splitKind(cell(row, split))) };
}

function readingBy(
  label: string,
  namings: readonly Naming[],
  parts: readonly UnlabelledPart[],
): TableReading {
  const told = (file: OwnFile) => {
    for (const { rows, labellings, partOf } of namings) {
      const row = rows.get(file);
      if (row) return { label: labellings.get(label)?.(row) ?? '', part: partOf(row) };
    }
    return undefined;
  };
  // Folders say what parts are; without them, tables do, if they know of several.
  const kinds = new Set(parts.flatMap(({ files }) => files.map((file) => told(file)?.part)));
  kinds.delete(undefined);
  const byTable = parts.length === 1 && kinds.size > 1;
  const found = new Map<string, Omit<Part, 'role'>>();
  for (const { name, files } of parts) {
    for (const file of files) {
      const row = told(file);
      const part = byTable ? (row?.part ?? '') : name;
      const of = found.get(part) ?? { name: part, samples: [], unlabelled: 0 };
      found.set(part, of);
      // "trainLabels" are those of no other part, which may have pictures of the same names.
      const isOther =
        !byTable &&
        row?.part !== undefined &&
        parts.length > 1 &&
        isKnown(parts, row.part) &&
        splitKind(name) !== row.part;
      if (row && row.label !== '' && !isOther) of.samples.push(sampleOf(file, row.label));
      else of.unlabelled++;
    }
  }
  const names = [...new Set(namings.map(({ path }) => nameOf(path)))].join('+');
  const from = namings.map(({ path }) => path).join(', ');
  const what = label === 'columns' ? 'the columns' : label;
  const all = [...found.values()];
  return {
    ...readingOf(`${names}:${label}`, `${what} of ${from}`, all),
    isNamed: isLabelName(label),
    isWhole: all.every(
      ({ name, samples, unlabelled }) => unlabelled === 0 || (samples.length === 0 && name !== ''),
    ),
  };
}

const isKnown = (parts: readonly UnlabelledPart[], kind: string): boolean =>
  parts.some(({ name }) => splitKind(name) === kind);

export const sampleOf = (file: OwnFile, label: string): Sample => ({
  path: file.path,
  label: shownName(label),
  source: file,
});
