/** What names of folders, files and columns say about what they hold. */

export type PartRole = 'train' | 'test' | 'unused';

/** The kind of a part: validation images test if there are no others. */
export type SplitKind = 'train' | 'test' | 'validation' | 'unlabelled';

const WORDS: Readonly<Record<SplitKind, readonly string[]>> = {
  train: ['train', 'training', 'trn'],
  test: ['test', 'testing', 'tst', 't10k', 'eval', 'evaluation'],
  validation: ['val', 'valid', 'validation', 'dev'],
  unlabelled: ['pred', 'predict', 'prediction', 'unlabeled', 'unlabelled', 'submission'],
};

/** "trainImages-idx3" in words: train, images, idx3. */
export const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Which split a folder or file is by its name, such as "seg_train" or "Test1"; undefined for other names. */
export function splitKind(name: string): SplitKind | undefined {
  const words = wordsOf(name).flatMap((word) => [word, word.replace(/\d+$/, '')]);
  const kinds = Object.keys(WORDS) as SplitKind[];
  return kinds.find((kind) => words.some((word) => WORDS[kind].includes(word)));
}

/** Whether a column of a table is named as one of labels. */
export const isLabelName = (name: string): boolean =>
  /^"?(labels?|class(es)?|targets?|y|digit|category)"?$/i.test(name);
