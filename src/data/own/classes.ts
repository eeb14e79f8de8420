/** Sorts the files of a folder into classes: each subfolder, with everything in it, is a class. */
import { Failure } from '../../base/result.ts';

/** A file with its path from the chosen folder. */
export interface Located {
  /** Names with "/" between them. */
  path: string;
}

/** What was skipped, with a reason that completes a sentence after the file's name. */
export interface Skipped {
  path: string;
  reason: string;
}

export interface Sorted<F> {
  classes: { name: string; files: F[] }[];
  skipped: Skipped[];
}

/** Labels are bytes. */
const MAX_CLASSES = 256;

const PICTURE = /\.(png|jpe?g)$/i;
/** Files that operating systems leave in folders, skipped without a report. */
const LEFT_BEHIND = /(^|\/)(\.|__MACOSX(\/|$)|Thumbs\.db$|desktop\.ini$)/i;
/** Whether a file is named like a PNG or JPEG that belongs to the user. */
export const isPicture = ({ path }: Located): boolean => PICTURE.test(path) && !LEFT_BEHIND.test(path);

/** Folders that split a set and are not classes. */
const DIVISION = /^(train(ing)?|test(ing)?|val(id(ation)?)?)$/i;

/**
 * A folder that contains all others is ignored, as in an archive of one folder. Classes come in the order of their
 * names, numbers by size; files in the order of their paths.
 * @param what the folder or archive, for messages
 * @throws Failure `bad-input` unless there are at least two folders of pictures
 */
export function sortIntoClasses<F extends Located>(what: string, files: readonly F[]): Sorted<F> {
  const skipped: Skipped[] = [];
  let pictures: { rest: string; file: F }[] = [];
  for (const file of files) {
    if (LEFT_BEHIND.test(file.path)) continue;
    if (PICTURE.test(file.path)) pictures.push({ rest: file.path, file });
    else skipped.push({ path: file.path, reason: 'is not a PNG or JPEG file' });
  }
  let groups: ReturnType<typeof byFolder<F>>;
  for (;;) {
    groups = byFolder(pictures);
    for (const { file } of groups.loose)
      skipped.push({ path: file.path, reason: 'is not in a class folder' });
    const inner = [...groups.folders.values()];
    if (inner.length !== 1 || byFolder(inner[0]).folders.size === 0) break;
    pictures = inner[0];
  }
  const names = [...groups.folders.keys()].sort(order.compare);
  if (names.length < 2) {
    throw new Failure(
      'bad-input',
      `${what}: expected a folder for each of at least two classes, with PNG or JPEG images in it; found ` +
        (names.length === 0 ? 'none' : `only ${names[0]}`),
      'Create one folder per class, named after the class, and choose their parent folder.',
    );
  }
  if (names.every((name) => DIVISION.test(name))) {
    throw new Failure(
      'bad-input',
      `${what}: ${names.join(' and ')} look like dataset splits, not classes`,
      'Choose the folder of one split; wgrad holds out test images itself.',
    );
  }
  if (names.length > MAX_CLASSES) {
    throw new Failure('bad-input', `${what}: expected at most ${MAX_CLASSES} classes, found ${names.length}`);
  }
  const classes = names.map((name) => ({
    name,
    files: (groups.folders.get(name) ?? []).map(({ file }) => file).sort(byPath),
  }));
  return { classes, skipped };
}

/** Independent of the user's language: the same folders give the same classes everywhere. */
const order = new Intl.Collator('en', { numeric: true });
const byPath = (a: Located, b: Located): number => order.compare(a.path, b.path);

function byFolder<F>(pictures: readonly { rest: string; file: F }[]) {
  const folders = new Map<string, { rest: string; file: F }[]>();
  const loose: { file: F }[] = [];
  for (const { rest, file } of pictures) {
    const slash = rest.indexOf('/');
    if (slash < 0) {
      loose.push({ file });
      continue;
    }
    const name = rest.slice(0, slash);
    const inside = folders.get(name) ?? [];
    inside.push({ rest: rest.slice(slash + 1), file });
    folders.set(name, inside);
  }
  return { folders, loose };
}
