import { describe, expect, test } from 'vitest';
import {
  checkAugmentation,
  isAugmented,
  NO_AUGMENTATION,
  parseAugmentation,
  showAugmentation,
} from './augmentation.ts';

describe('augmentations as text', () => {
  test.each([
    ['crop=4,flip,cutout=8,mixup=0.2', { ...NO_AUGMENTATION, crop: 4, flip: 1, cutout: 8, mixup: 0.2 }],
    ['crop,flip', { ...NO_AUGMENTATION, crop: 4, flip: 1 }],
    [' mixup=.5 , crop=2', { ...NO_AUGMENTATION, crop: 2, mixup: 0.5 }],
    ['cutout', { ...NO_AUGMENTATION, cutout: 8 }],
    ['crop=2,reflect,alternate', { ...NO_AUGMENTATION, crop: 2, reflect: 1, alternate: 1 }],
    ['crop=0', NO_AUGMENTATION],
  ])('"%s" is %j, and is read again as it is shown', (text, expected) => {
    const read = parseAugmentation(text);
    expect(read).toEqual(expected);
    if (isAugmented(read)) expect(parseAugmentation(showAugmentation(read))).toEqual(read);
    else expect(showAugmentation(read)).toBe('none');
  });

  test.each([
    ['', /expected some of crop, reflect, flip, alternate, cutout, mixup, separated by commas, found ""/],
    ['crop,', /found ""/],
    ['rotate=3', /found "rotate=3"/],
    ['crop=4,crop=2', /crop is given twice/],
    ['crop=four', /crop: expected a number, such as 4, found "four"/],
    ['crop=-1', /crop: expected a number, such as 4, found "-1"/],
    ['crop=1.5', /crop: expected a whole number from 0 to 64, found 1.5/],
    ['flip=2', /flip: expected a whole number from 0 to 1, found 2/],
    ['mixup=1000', /mixup: expected a number from 0 to 100, found 1000/],
  ])('"%s" is refused', (text, message) => {
    expect(() => parseAugmentation(text)).toThrow(message);
  });
});

test('crops and squares are smaller than the image', () => {
  const wide = { ...NO_AUGMENTATION, crop: 27 };
  checkAugmentation(wide, [1, 28, 40]);
  expect(() => checkAugmentation(wide, [1, 40, 27])).toThrow(
    /crop: expected less than the image's 27 pixels, found 27/,
  );
  expect(() => checkAugmentation({ ...NO_AUGMENTATION, mixup: NaN })).toThrow(/found NaN/);
});
