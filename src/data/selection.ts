/**
 * Selects a run's images. First, some of the training images are held back for validation; of the others, some are trained
 * on; of these, some get wrong labels. All of it follows from the seed.
 */
import { Random } from '../base/random.ts';
import { Failure } from '../base/result.ts';
import { heldBack } from '../run/settings/rules.ts';
import type { RunSettings, SettingKey } from '../run/settings/table.ts';
import type { Dataset, ImageSet } from './dataset.ts';

export type SelectionSettings = Pick<RunSettings, 'seed' | 'validation' | 'trainImages' | 'wrongLabels'>;

/** See select.ts. */
export function selected(
  dataset: Dataset,
  { seed, validation, trainImages, wrongLabels }: SelectionSettings,
  nameOf: (key: SettingKey) => string,
): Dataset {
  const all = dataset.all ?? dataset.train;
  const refuse = (key: SettingKey, expected: string, found: number) =>
    new Failure('bad-input', `${nameOf(key)}: expected ${expected}, found ${found}`);

  const held = heldBack(all.count, { validation });
  if (validation > 0 && held < 1)
    throw refuse(
      'validation',
      'at least 2 training images, so that one can be held back and one remains',
      all.count,
    );
  const validated = byClass(all.labels, held, new Random(seed, 'validation'), sameShare);
  const isHeld = new Set(validated);
  const others = Uint32Array.from({ length: all.count }, (_, i) => i).filter((place) => !isHeld.has(place));

  if (trainImages !== undefined && trainImages > others.length)
    throw refuse(
      'trainImages',
      `at most the ${others.length} training images of ${dataset.name}${held > 0 ? ' that are not held back' : ''}`,
      trainImages,
    );
  const trained =
    trainImages === undefined
      ? others
      : byClass(
          others.map((place) => all.labels[place]),
          trainImages,
          new Random(seed, 'training images'),
          sameNumber,
        ).map((i) => others[i]);

  const classes = dataset.classes.length;
  if (wrongLabels > 0 && classes < 2) throw refuse('wrongLabels', 'at least 2 classes', classes);
  const train = subset(all, trained);
  return {
    ...dataset,
    train: wrongLabels > 0 ? { ...train, labels: wronged(train.labels, wrongLabels, classes, seed) } : train,
    ...(held > 0 ? { validation: subset(all, validated) } : {}),
    all,
  };
}

/** The order in which images are taken: by its rank among those of its class, which are in random order. The least come first. */
type Order = (rank: number, size: number) => number;
/** As many of each class, as far as there are. */
const sameNumber: Order = (rank) => rank;
/** The same share of each class. */
const sameShare: Order = (rank, size) => (rank + 0.5) / size;

/** `count` of the images with these labels, as their places in ascending order. */
function byClass(labels: ArrayLike<number>, count: number, random: Random, order: Order): Uint32Array {
  const sizes = new Uint32Array(256);
  for (let i = 0; i < labels.length; i++) sizes[labels[i]]++;
  const ranks = new Uint32Array(256);
  const shuffled = random.permutation(labels.length);
  const keys = Array.from(shuffled, (place) => order(ranks[labels[place]]++, sizes[labels[place]]));
  return Uint32Array.from(
    keys
      .map((_, i) => i)
      .sort((a, b) => keys[a] - keys[b] || a - b)
      .slice(0, count),
    (i) => shuffled[i],
  ).sort();
}

/** The labels with a share of them, of each class alike, replaced by another class. */
function wronged(labels: Uint8Array, share: number, classes: number, seed: number): Uint8Array {
  const random = new Random(seed, 'wrong labels');
  const places = byClass(labels, Math.round(share * labels.length), random, sameShare);
  // One is drawn for every image: a larger share keeps the wrong labels of a smaller one.
  const others = labels.map((label) => (label + 1 + random.below(classes - 1)) % classes);
  const wrong = labels.slice();
  for (const place of places) wrong[place] = others[place];
  return wrong;
}

/** The images at these places. All of them are not copied. */
function subset(set: ImageSet, places: Uint32Array): ImageSet {
  const { images, labels, count } = set;
  if (places.length === count) return set;
  const size = images.length / count;
  const bytes = new Uint8Array(places.length * size);
  places.forEach((place, i) => bytes.set(images.subarray(place * size, (place + 1) * size), i * size));
  return { images: bytes, labels: Uint8Array.from(places, (place) => labels[place]), count: places.length };
}
