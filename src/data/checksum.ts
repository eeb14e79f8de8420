import type { Dataset, ImageSet } from './dataset.ts';
import { sha256 } from './files.ts';

const known = new WeakMap<ImageSet, Promise<string>>();

/**
 * SHA-256, in hexadecimal, of everything that training and evaluation read: all images, labels and classes, whichever of
 * them a run selects. Computed once.
 */
export function datasetChecksum({ classes, shape, all, train: some, test }: Dataset): Promise<string> {
  const train = all ?? some;
  const work = async () => {
    const sums = [train, ...(test ? [test] : [])].flatMap((set) => [sha256(set.images), sha256(set.labels)]);
    const text = JSON.stringify([shape, classes, await Promise.all(sums)]);
    return sha256(new TextEncoder().encode(text));
  };
  let sum = known.get(train);
  if (!sum) known.set(train, (sum = work()));
  return sum;
}
