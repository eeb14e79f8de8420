import { expect, test } from 'vitest';
import { NO_AUGMENTATION, parseAugmentation } from '../../base/augmentation.ts';
import { Random } from '../../base/random.ts';
import { augmentedImages } from './augmented.ts';

const dataset = { shape: [3, 8, 8], mean: [0.49, 0.48, 0.45], std: [0.25, 0.24, 0.26] };
const random = new Random(1, 'bytes');
const images = Uint8Array.from({ length: 6 * 3 * 64 }, () => random.below(256));

test('without augmentation the bytes are unchanged', () => {
  expect(augmentedImages(images, dataset, { augmentation: NO_AUGMENTATION, seed: 1, step: 0 })).toEqual(
    images,
  );
});

test('some images are mirrored: their rows are those of the original, reversed', () => {
  const augmented = augmentedImages(images, dataset, {
    augmentation: parseAugmentation('flip'),
    seed: 1,
    step: 3,
  });
  const lines = (of: Uint8Array, image: number) =>
    Array.from({ length: 24 }, (_, y) => of.slice((image * 24 + y) * 8, (image * 24 + y + 1) * 8));
  const mirrored = [0, 1, 2, 3, 4, 5].map((image) => {
    const [was, is] = [lines(images, image), lines(augmented, image)];
    const turned = is.every((line, y) => String(line) === String(was[y].toReversed()));
    expect(turned || is.every((line, y) => String(line) === String(was[y]))).toBe(true);
    return turned;
  });
  expect(new Set(mirrored).size).toBe(2);
});

test('steps differ, and an augmentation that does not fit is refused', () => {
  const at = (step: number) =>
    augmentedImages(images, dataset, { augmentation: parseAugmentation('crop,mixup'), seed: 1, step });
  expect(at(1)).toEqual(at(1));
  expect(at(1)).not.toEqual(at(2));
  expect(() =>
    augmentedImages(images, dataset, { augmentation: parseAugmentation('crop=8'), seed: 1, step: 0 }),
  ).toThrow(/crop: expected less than/);
});
