/** Labelled pictures by the structure of their folders, by their names, or by a table beside them. */
import type { Table } from '../formats/csv.ts';
import type { OwnFile } from './open.ts';
import { byName, byPath, isLabelling, readingOf, type Part, type SetReading } from './reading.ts';
import { splitKind } from './splits.ts';
import { readingsByTable, sampleOf, type UnlabelledPart } from './tables.ts';

/** A picture with the part of its path that is still to be understood. */
interface Found {
  file: OwnFile;
  /** Folders, the innermost last. */
  folders: readonly string[];
}

type Unroled = Omit<Part, 'role'>;

const nameOf = ({ path }: { path: string }): string => path.slice(path.lastIndexOf('/') + 1);
const stemOf = (file: { path: string }): string => nameOf(file).replace(/\.[^.]*$/, '');

/**
 * The ways to understand labelled pictures; the first is meant if it `isClear`, otherwise a person must choose. `loose` belong to
 * no class.
 * @param tables beside them, by path
 */
export function readingsOfPictures(
  pictures: readonly OwnFile[],
  tables: ReadonlyMap<string, Table>,
): { readings: SetReading[]; loose: OwnFile[]; usedTables: ReadonlySet<string>; isClear: boolean } {
  const all = pictures
    .toSorted(byPath)
    .map((file): Found => ({ file, folders: file.path.split('/').slice(0, -1) }));
  const parts = withoutOwnFolders(
    [...partsOf(withoutOuter(all))].map(([name, found]): FlatPart => ({ name, found: withoutOuter(found) })),
  );
  const byTable = readingsByTable(parts.map(filesIn), tables);
  const folders = parts.flatMap(({ found }) => classFolders(found));
  const isByFolder = new Set(folders).size > 1 || (folders.length > 0 && parts[0].name !== '');
  const usedTables = byTable.used;
  const named = byTable.readings.filter(({ isNamed }) => isNamed);
  if (!isByFolder) {
    const readings = [...byTable.readings, ...readingsByName(parts)];
    return { readings, loose: [], usedTables, isClear: readings.length === 1 || named.length === 1 };
  }
  const byFolders = isCrossed(parts.flatMap(({ found }) => found))
    ? [
        byFolder(parts, tables, ['outer-folders', 'the names of the outer folders', 0]),
        byFolder(parts, tables, ['inner-folders', 'the names of the inner folders', 1]),
      ]
    : [byFolder(parts, tables, ['folders', 'the names of folders', 0])];
  // A table that labels every picture may say what folders say, or more than folders that are only numbered.
  const isNumbered = areNumbered([...new Set(folders)]);
  const more = byTable.readings.filter(
    (one) => (isNumbered || one.isWhole) && !byFolders.some((other) => isSameLabelling(one, other)),
  );
  const readings = isNumbered ? [...more, ...byFolders] : [...byFolders, ...more];
  const kept = new Set(readings[0].parts.flatMap(({ samples }) => samples.map(({ source }) => source)));
  for (const { name, found } of parts) if (name !== '') for (const { file } of found) kept.add(file);
  return {
    readings,
    loose: pictures.filter((file) => !kept.has(file)),
    usedTables,
    isClear: readings.length === 1 || (isNumbered && (more.length === 1 || named.length === 1)),
  };
}

const filesIn = ({ name, found }: FlatPart): UnlabelledPart => ({
  name,
  files: found.map(({ file }) => file),
});

/** Folders that only part a set, such as "images_part_1" and "images_part_2". */
function areNumbered(names: readonly string[]): boolean {
  const stems = new Set(names.map((name) => name.replace(/[\s_-]*\d+$/, '')));
  const [stem] = stems;
  return (
    names.length > 1 &&
    stems.size === 1 &&
    /(^|[\s_-])(part|fold|shard|batch|chunk|images?|pictures?)$/i.test(stem)
  );
}

/** Whether two readings part the same pictures in the same way. */
function isSameLabelling(a: SetReading, b: SetReading): boolean {
  const labels = ({ parts }: SetReading) =>
    new Map(parts.flatMap(({ samples }) => samples.map(({ source, label }) => [source as OwnFile, label])));
  const [one, other] = [labels(a), labels(b)];
  return (
    [...one.keys()].every((file) => other.has(file)) && sameClasses(one, other) && sameClasses(other, one)
  );
}

function byFolder(
  parts: readonly FlatPart[],
  tables: ReadonlyMap<string, Table>,
  [id, from, level]: readonly [id: string, from: string, level: 0 | 1],
): SetReading {
  const labelled = parts.map(({ name, found }): Unroled => {
    const inside = found.filter(({ folders }) => folders.length > 0);
    const samples = inside.map(({ file, folders }) => sampleOf(file, folders[level]));
    return { name, samples, unlabelled: found.length - inside.length };
  });
  // The test pictures of some sets have no folders, but a table.
  const classes = new Set(labelled.flatMap(({ samples }) => samples.map(({ label }) => label)));
  const completed = labelled.map((part, i) => {
    if (part.samples.length > 0) return part;
    const told = readingsByTable([{ ...filesIn(parts[i]), name: '' }], tables).readings.filter((one) =>
      one.classes.every((name) => classes.has(name)),
    );
    return told.length === 1 ? { ...told[0].parts[0], name: part.name } : part;
  });
  return readingOf(id, from, completed);
}

/** Outer folders that contain all others are ignored, as in an archive of one folder, and so are pictures beside them. */
function withoutOuter(found: readonly Found[]): readonly Found[] {
  const inside = found.filter(({ folders }) => folders.length > 0);
  const isOuter = classFolders(inside).length === 1 && inside.some(({ folders }) => folders.length > 1);
  return isOuter
    ? withoutOuter(inside.map(({ file, folders }) => ({ file, folders: folders.slice(1) })))
    : found;
}

/** A part without labels may have its only folder twice: "seg_pred/seg_pred". */
const withoutOwnFolders = (parts: readonly FlatPart[]): FlatPart[] =>
  parts.map(({ name, found }, i) => {
    const inside = classFolders(found);
    const isClass = parts.some((other, k) => {
      const names = k === i ? [] : classFolders(other.found);
      return names.length > 1 && names.includes(inside[0]);
    });
    if (name === '' || inside.length !== 1 || isClass) return { name, found };
    return { name, found: found.map(({ file, folders }) => ({ file, folders: folders.slice(1) })) };
  });

const classFolders = (found: readonly Found[]): string[] => [
  ...new Set(found.flatMap(({ folders }) => folders.slice(0, 1))),
];

/** By the folders that split the set, outermost or in each class; one part without a name if there are none. */
function partsOf(found: readonly Found[]): Map<string, readonly Found[]> {
  for (const level of [0, 1]) {
    const parts = new Map<string, Found[]>();
    let others = 0;
    for (const { file, folders } of found) {
      const name = folders[level];
      if (name === undefined || splitKind(name) === undefined) {
        others++;
        continue;
      }
      if (!parts.has(name)) parts.set(name, []);
      parts.get(name)?.push({ file, folders: folders.filter((_, i) => i !== level) });
    }
    // One name alone, or a few among many others, may be those of classes: "train" is one of CIFAR-100's.
    const most = level === 0 ? found.length / 2 : 0;
    if (parts.size >= 2 && others <= most) return new Map([...parts].sort(([a], [b]) => byName(a, b)));
  }
  return new Map([['', found]]);
}

/** Whether each folder holds the same folders, at least two: then either may be the classes. */
function isCrossed(found: readonly Found[]): boolean {
  const inner = new Map<string, Set<string>>();
  for (const { folders } of found) {
    if (folders.length < 2) return false;
    inner.set(folders[0], (inner.get(folders[0]) ?? new Set()).add(folders[1]));
  }
  const [first, ...others] = inner.values();
  return (
    others.length > 0 &&
    first.size > 1 &&
    others.every((names) => names.size === first.size && [...names].every((name) => first.has(name)))
  );
}

interface FlatPart {
  name: string;
  found: readonly Found[];
}

/** Labels in the names of files: "cat.0.jpg", "0_10.png", "dog (12).png". */
function readingsByName(parts: readonly FlatPart[]): SetReading[] {
  const training = parts.filter(({ name }) => splitKind(name) === 'train');
  const basis = (training.length > 0 ? training : parts).flatMap(({ found }) => found);
  const lengths = new Set(basis.map(({ file }) => namedParts(stemOf(file)).length));
  // Names of classes that differ in their number of words are all that is not a number.
  const ways =
    lengths.size > 1
      ? [(stem: string) => textIn(stem)]
      : Array.from({ length: Math.max(0, ...lengths) }, (_, at) => (stem: string) => namedParts(stem)[at]);
  const candidates = ways.map((labelOf, at): Candidate => ({
    at,
    labelOf,
    labels: labelsBy(basis, labelOf),
  }));
  const possible = candidates.filter(({ labels }) => isLabelled(labels, basis.length));
  const told = possible.filter((one) => !possible.some((other) => other !== one && replaces(other, one)));
  return told.map(({ at, labelOf, labels }) => {
    const classes = new Set(labels.values());
    return readingOf(
      told.length === 1 ? 'names' : `names-${at + 1}`,
      told.length === 1 ? 'the names of files' : `part ${at + 1} of the names of files`,
      parts.map(({ name, found }) => {
        const samples = [...labelsBy(found, labelOf)]
          .filter(([, label]) => classes.has(label))
          .map(([file, label]) => sampleOf(file, label));
        return { name, samples, unlabelled: found.length - samples.length };
      }),
    );
  });
}

interface Candidate {
  at: number;
  labelOf(stem: string): string | undefined;
  labels: ReadonlyMap<OwnFile, string>;
}

function labelsBy(found: readonly Found[], labelOf: Candidate['labelOf']): Map<OwnFile, string> {
  const labels = new Map<OwnFile, string>();
  for (const { file } of found) {
    const label = labelOf(stemOf(file));
    if (label !== undefined && label !== '') labels.set(file, label);
  }
  return labels;
}

/** Every class has several pictures; numbers that count pictures have one each. */
function isLabelled(labels: Candidate['labels'], pictures: number): boolean {
  const counts = new Map<string, number>();
  for (const label of labels.values()) counts.set(label, (counts.get(label) ?? 0) + 1);
  return (
    2 * labels.size > pictures &&
    isLabelling(counts.size, labels.size) &&
    ![...counts.keys()].every((label) => splitKind(label) !== undefined) &&
    [...counts.values()].every((count) => count > 1)
  );
}

/** The parts of a name between marks and numbers: "cat12" is cat and 12. */
const namedParts = (stem: string): string[] => stem.match(/\d+|[^\d\s._()-]+/g) ?? [];
/** Without numbers before and after it: "american_bulldog" of "american_bulldog_100". */
const textIn = (stem: string): string => stem.replaceAll(/^[\d\s._()-]+|[\s._()-]*\d[\d\s._()-]*$/g, '');

const isNumber = (text: string): boolean => /^\d+$/.test(text);
const inWords = ({ labels }: Candidate): boolean => [...labels.values()].some((label) => !isNumber(label));

/** Whether one candidate makes another pointless, which says the same or counts the pictures of each class. */
function replaces(one: Candidate, other: Candidate): boolean {
  if (sameClasses(one.labels, other.labels))
    return inWords(one) === inWords(other) ? one.at < other.at : inWords(one);
  if (inWords(other)) return false;
  const pairs = new Set([...other.labels].map(([file, label]) => `${one.labels.get(file) ?? ''} ${label}`));
  const counts = (candidate: Candidate) => new Set(candidate.labels.values()).size;
  return pairs.size === other.labels.size && (inWords(one) || counts(one) < counts(other));
}

/** Whether two labellings part the pictures in the same way. */
function sameClasses(a: ReadonlyMap<OwnFile, string>, b: ReadonlyMap<OwnFile, string>): boolean {
  const pairs = new Map<string, string>();
  for (const [file, label] of a) {
    const other = b.get(file) ?? '';
    if ((pairs.get(label) ?? other) !== other) return false;
    pairs.set(label, other);
  }
  return new Set(pairs.values()).size === pairs.size;
}
