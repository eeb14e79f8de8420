/** Names of classes in a text beside a set: CIFAR's batches.meta.txt, EMNIST's mapping, class_names.txt, Teachable Machine's labels.txt. */
import { textOf } from '../formats/csv.ts';
import { wordsOf } from './splits.ts';

const LISTS =
  /(^|\/)((fine|coarse)_label_names|batches\.meta|(class|label)_?names|classes|labels|categories)\.txt$/i;
const MAPPING = /(^|\/)([\w-]*)mapping\.txt$/i;
const MAX_CLASSES = 1000;

/** By the key of a list, as pickles of CIFAR have it: "fine_label_names". Undefined for other texts, and for tables. */
export function classNamesIn(path: string, bytes: Uint8Array): Map<string, readonly string[]> | undefined {
  const [, , list, kind] = LISTS.exec(path) ?? [];
  const [, , set] = MAPPING.exec(path) ?? [];
  const lines = (list ?? set) === undefined ? [] : (textOf(bytes)?.trim().split(/\r?\n/) ?? []);
  if (lines.length < 2 || lines.length > MAX_CLASSES) return undefined;
  if (set !== undefined) {
    // "36 97 65": a label, and the codes of its letters.
    const pairs = lines.map((line) => /^(\d{1,3})\s+(\d{1,6})(\s+\d+)*$/.exec(line.trim()));
    if (pairs.some((pair) => !pair)) return undefined;
    const names: string[] = [];
    for (const pair of pairs) if (pair) names[Number(pair[1])] = String.fromCodePoint(Number(pair[2]));
    return new Map([[`${wordsOf(set).join('-')} label_names`.trim(), names]]);
  }
  const isNumbered = lines.every((line, i) => new RegExp(`^${i}\\s`).test(line));
  const names = lines.map((line) => (isNumbered ? line.replace(/^\d+\s+/, '') : line).trim().normalize());
  // A list of pictures with their labels is a table.
  if (
    new Set(names).size < names.length ||
    names.some((name) => name === '' || /\.\w{3,4}([\s,;]|$)/.test(name))
  )
    return undefined;
  return new Map([[kind === undefined ? 'label_names' : `${kind.toLowerCase()}_label_names`, names]]);
}
