/** Which arrays belong together: images with their labels, training with test images, batches of one set. */
import { Failure } from '../../base/result.ts';
import type { ArrayFile, ArrayImages, ArrayLabels } from './images.ts';
import type { NpyValues } from '../formats/npy.ts';
import { shownName } from '../formats/path.ts';
import { readingOf, type Part, type SetReading, type Sample } from './reading.ts';
import { splitKind, wordsOf } from './splits.ts';

/** What an array is, which is not the name of its set. */
const KINDS =
  /^(x|y|images?|imgs?|labels?|targets?|features?|data|batch(es)?|idx\d?|ubyte|py|bin|python|arr|full|numpy|bitmap|npy|csv|of|mapping|\d+)$/;

interface Named {
  /** The set's own words: "balanced" in "emnist-balanced-train-images". */
  set: string;
  /** "train", or empty. */
  split: string;
  /** Numbers in the name, as of batches. */
  number: string;
}

interface Unit extends Named {
  path: string;
  images: ArrayImages;
  labels: ArrayLabels[];
}

type Unroled = Omit<Part, 'role'>;

/** The most images of arrays: more take the memory of a page. */
const MAX_SAMPLES = 100_000;

/**
 * The ways to understand arrays of images. If there are several, a person must choose, but for those that are `clear`.
 * @param note called with what is left out
 * @throws Failure `bad-input` if images and labels do not fit together
 */
export function readingsOfArrays(
  files: readonly ArrayFile[],
  note: (path: string, reason: string) => void,
): { readings: SetReading[]; isClear: boolean } {
  const outer = commonFolders(files.map(({ path }) => path));
  const named = files.map((file) => ({ file, ...namesIn(file.path.slice(outer)) }));
  const units = named.flatMap(({ file: { path, images, labels }, ...name }): Unit[] => {
    const whole = images ?? labels.find((one) => one.images)?.images;
    return whole ? [{ path, images: whole, labels, ...name }] : [];
  });
  for (const { file, ...name } of named)
    if (!file.images && file.labels.some(({ images }) => !images)) giveLabels(units, file, name);
  const names = new Map(files.flatMap((file) => [...file.names]));
  const single = withoutCopies(units);
  const labelled = single.filter(({ labels }) => labels.length > 0);
  if (labelled.length === 0) return { readings: byFileName(single, note), isClear: true };
  const sets = [...new Set(labelled.map(({ set }) => set))];
  const readings = sets.flatMap((set) => {
    const own = single.filter((unit) => unit.set === set || unit.labels.length === 0);
    const kinds = [
      ...new Set(own.flatMap((unit) => unit.labels.map(({ name }) => kindOfLabels(unit, name)))),
    ];
    // Of coarse and fine classes, people mean the fine ones.
    const ordered = kinds.toSorted((a, b) => Number(b.includes('fine')) - Number(a.includes('fine')));
    return ordered.map((kind) =>
      readingOfSet(
        own,
        kind,
        names,
        [set, kind].filter((word) => word !== ''),
        note,
      ),
    );
  });
  const isFine = readings.length === 2 && readings.every(({ id }) => /fine|coarse/.test(id));
  return {
    readings: readings.map((one) => (readings.length === 1 ? { ...one, id: 'arrays' } : one)),
    isClear: isFine,
  };
}

/** Letters of the folders that all paths begin with. */
function commonFolders(paths: readonly string[]): number {
  const [first = ''] = paths;
  let length = first.lastIndexOf('/') + 1;
  while (length > 0 && !paths.every((path) => path.startsWith(first.slice(0, length))))
    length = first.lastIndexOf('/', length - 2) + 1;
  return length;
}

function namesIn(path: string): Named {
  const words = path.split('/').flatMap((part) => wordsOf(part.replace(/\.[^.]*$/, '')));
  const kept = words.filter((word) => !KINDS.test(word) && splitKind(word) === undefined);
  const split = words.findLast((word) => splitKind(word) !== undefined);
  return {
    set: [...new Set(kept)].join('-'),
    split: split === undefined ? '' : (splitKind(split) ?? ''),
    number: words.findLast((word) => /^\d+$/.test(word)) ?? '',
  };
}

/** Labels in a file of their own belong to the images of its name, else to the only ones of their split. */
function giveLabels(units: readonly Unit[], { path, labels }: ArrayFile, name: Named): void {
  const near = units.filter(
    ({ split, images }) => split === name.split && images.count === labels[0].values.length,
  );
  const fits = [
    near.filter(({ set, number }) => set === name.set && number === name.number),
    near.filter(({ set }) => set === name.set),
    near,
  ].find((found) => found.length > 0);
  if (!fits)
    throw new Failure(
      'bad-input',
      `${path}: expected as many images as the ${labels[0].values.length} labels, found ` +
        (units.map((unit) => `${unit.images.count} in ${unit.path}`).join(', ') || 'none'),
    );
  for (const unit of fits) unit.labels.push(...labels);
}

/** Kaggle's archive of MNIST has each file twice. */
function withoutCopies(units: readonly Unit[]): Unit[] {
  const keyOf = ({ set, split, number, images, labels }: Unit) =>
    JSON.stringify([set, split, number, images.count, labels.length]);
  const kept = new Map<string, Unit>();
  for (const unit of units) {
    const other = kept.get(keyOf(unit));
    if (other && isCopy(unit, other))
      other.labels.splice(0, Infinity, ...distinct([...other.labels, ...unit.labels]));
    else kept.set(other ? `${keyOf(unit)} ${unit.path}` : keyOf(unit), unit);
  }
  return [...kept.values()].map((unit) => ({ ...unit, labels: distinct(unit.labels) }));
}

const isCopy = (a: Unit, b: Unit): boolean => {
  const [one, other] = [a.images.at(0), b.images.at(0)];
  if (!('shape' in one) || !('shape' in other)) return false;
  return JSON.stringify([...one.bytes()]) === JSON.stringify([...other.bytes()]);
};

/** Labels that say the same once. */
const distinct = (labels: readonly ArrayLabels[]): ArrayLabels[] =>
  labels.filter((one, i) => !labels.slice(0, i).some((other) => isSame(one.values, other.values)));

const isSame = (a: NpyValues, b: NpyValues): boolean =>
  a.length === b.length && Array.from(a as ArrayLike<number | string>).every((value, i) => value === b[i]);

/** "fine" of "fine_labels": the same in all files of a set. */
const kindOfLabels = ({ set }: Unit, name: string): string =>
  wordsOf(name)
    .filter((word) => !KINDS.test(word) && splitKind(word) === undefined && !set.split('-').includes(word))
    .join('-');

function readingOfSet(
  units: readonly Unit[],
  kind: string,
  names: ReadonlyMap<string, readonly string[]>,
  words: readonly string[],
  note: (path: string, reason: string) => void,
): SetReading {
  const key = `${kind === '' ? '' : `${kind}_`}label_names`;
  const [set = ''] = units.map((unit) => unit.set).filter((one) => one !== '');
  const listed = names.get(`${set} ${key}`) ?? names.get(key);
  const assumed = new Set<string>();
  const parts = new Map<string, Unroled>();
  const numbers = new Set<number>();
  let nameOf = listed;
  for (const unit of units) {
    const { path, images, labels, split } = unit;
    const part = parts.get(split) ?? { name: split, samples: [], unlabelled: 0 };
    parts.set(split, part);
    const found = labels.find(({ name }) => kindOfLabels(unit, name) === kind);
    if (!found) {
      part.unlabelled += images.count;
      continue;
    }
    nameOf ??= found.names;
    const taken = found.images ?? images;
    if (taken.assumed !== undefined) assumed.add(taken.assumed);
    // Those of STL-10 begin with 1.
    const first = listed && isFromOne(found.values, listed.length) ? 1 : 0;
    for (let i = 0; i < found.values.length; i++) {
      const value = found.values[i];
      if (typeof value === 'number') numbers.add(value);
      const label = typeof value === 'number' ? (nameOf?.[value - first] ?? String(value)) : shownName(value);
      part.samples.push({ path: `${path} ${i}`, label, source: taken.at(i) });
    }
  }
  const used = [...parts.values()].map((part) => limited(part, note));
  const offset = listed && isFromOne([...numbers], listed.length) ? 1 : 0;
  const classes =
    nameOf &&
    [...numbers].toSorted((a, b) => a - b).map((value) => nameOf?.[value - offset] ?? String(value));
  const from = words.length === 0 ? 'labels in arrays' : `labels in arrays, ${words.join(', ')}`;
  const reading = readingOf(words.join('-') || 'arrays', from, used, classes);
  return assumed.size === 0 ? reading : { ...reading, assumed: [...assumed].join('; ') };
}

/** Whether labels count from 1 where there are names for all of them. */
function isFromOne(values: NpyValues, names: number): boolean {
  let [least, most] = [Infinity, 0];
  for (let i = 0; i < values.length; i++) {
    const value = Number(values[i]);
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return least >= 1 && most === names;
}

/** At equal distances, so that every class stays. */
function limited<P extends { name: string; samples: Sample[] }>(
  part: P,
  note: (path: string, reason: string) => void,
): P {
  const { length } = part.samples;
  if (length <= MAX_SAMPLES) return part;
  note(part.name || 'arrays', `has ${length} images, of which ${MAX_SAMPLES} are used`);
  const samples = Array.from(
    { length: MAX_SAMPLES },
    (_, i) => part.samples[Math.floor((i * length) / MAX_SAMPLES)],
  );
  return { ...part, samples };
}

/** Arrays of images without labels, one for each class, as Quick Draw has them. */
function byFileName(units: readonly Unit[], note: (path: string, reason: string) => void): SetReading[] {
  if (units.length < 2 || units.some(({ split }) => split !== '')) return [];
  const names = units.map(({ path }) =>
    path
      .replace(/^.*\//, '')
      .replace(/\.[^.]*$/, '')
      .replace(/^full_numpy_bitmap_/, ''),
  );
  const each = Math.floor(MAX_SAMPLES / units.length);
  const samples = units.flatMap(({ path, images }, k) => {
    if (images.count > each) note(path, `has ${images.count} images, of which the first ${each} are used`);
    return Array.from({ length: Math.min(each, images.count) }, (_, i): Sample => ({
      path: `${path} ${i}`,
      label: names[k],
      source: images.at(i),
    }));
  });
  return [readingOf('file-names', 'the names of arrays', [{ name: '', samples, unlabelled: 0 }])];
}
