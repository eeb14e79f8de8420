/** A data set as it was understood, before its images are decoded. */
import type { Pixels } from './images.ts';
import type { OwnFile } from './open.ts';
import { splitKind, type PartRole } from './splits.ts';

export interface Sample {
  /** Of its file, or its place in one: "x_train.npy 12". */
  path: string;
  /** The name of its class. */
  label: string;
  source: OwnFile | Pixels;
}

/** Images that the person keeps together: a folder or an array. */
export interface Part {
  /** "train"; empty if there is one part, of which some images are set apart for testing. */
  name: string;
  role: PartRole;
  samples: Sample[];
  /** How many images without a label lie beside them. */
  unlabelled: number;
}

/** One way to understand the files. */
export interface SetReading {
  /** For the option that chooses it: "folders", "names-2". */
  id: string;
  /** Where the labels come from, for people: "the names of folders". */
  labelsFrom: string;
  /** What was assumed of pixels, for people: "pixels from 0 to 16, which is white". */
  assumed?: string;
  /** The classes in order. */
  classes: readonly string[];
  parts: Part[];
}

const MAX_CLASSES = 256;
/** Whether so many rows have so many values as labels: at least two, most of which come more than once. */
export const isLabelling = (values: number, rows: number): boolean =>
  values >= 2 && values <= MAX_CLASSES && values <= rows / 2;

/** Names by themselves; numbers by size, in any language. */
const order = new Intl.Collator('en', { numeric: true });
export const byName = (a: string, b: string): number => order.compare(a, b);
export const byPath = (a: { path: string }, b: { path: string }): number => byName(a.path, b.path);

/** @param classes in their order, if that is not by name */
export function readingOf(
  id: string,
  labelsFrom: string,
  parts: readonly Omit<Part, 'role'>[],
  classes?: readonly string[],
): SetReading {
  const used = withRoles(parts);
  const labels = new Set(
    used.flatMap(({ role, samples }) => (role === 'train' ? samples.map(({ label }) => label) : [])),
  );
  return {
    id,
    labelsFrom,
    parts: used,
    classes: classes?.filter((name) => labels.has(name)) ?? [...labels].sort(byName),
  };
}

/** What each part is for: images to train on first, then those to test on. Others are not used. */
function withRoles(parts: readonly Omit<Part, 'role'>[]): Part[] {
  const trained = new Set(
    parts.flatMap(({ name, samples }) =>
      ['test', 'validation'].includes(splitKind(name) ?? '') ? [] : samples.map(({ label }) => label),
    ),
  );
  // Folders of a part that are no classes, such as "val/images", do not label its images.
  const kindOf = ({ name, samples }: Omit<Part, 'role'>) =>
    trained.size === 0 || samples.some(({ label }) => trained.has(label)) ? splitKind(name) : 'unlabelled';
  const kinds = parts.map(kindOf);
  // What trains has no other name, or is all that there is.
  const first = kinds.findIndex((kind) => kind !== 'unlabelled');
  const trains = kinds.map((kind, i) =>
    kinds.includes('train') ? kind === 'train' : kinds.includes(undefined) ? kind === undefined : i === first,
  );
  const tester = (['test', 'validation'] as const).find((kind) =>
    kinds.some((one, i) => one === kind && !trains[i]),
  );
  return parts.map((part, i) => ({
    ...part,
    role: trains[i] ? 'train' : kinds[i] !== undefined && kinds[i] === tester ? 'test' : 'unused',
  }));
}
