import { describe, expect, test } from 'vitest';
import {
  isPaddingSetting,
  paddingPair,
  parsePadding,
  resolvePadding,
  showPadding,
  type Extent,
  type PaddingSetting,
} from './padding.ts';

const extent = (size: number, filter: number, stride = 1, dilation = 1): Extent => ({
  size,
  filter,
  stride,
  dilation,
});

describe('“same”', () => {
  // From TensorFlow's documentation of tf.nn: outputs = ceil(size / stride), an odd row at the end.
  test.each<[string, Extent, [before: number, after: number]]>([
    ['an odd filter', extent(7, 3), [1, 1]],
    ['an even filter', extent(7, 4), [1, 2]],
    ['a filter of 1', extent(7, 1), [0, 0]],
    ['stride 2, even size', extent(224, 7, 2), [2, 3]],
    ['stride 2, odd size', extent(7, 3, 2), [1, 1]],
    ['stride 2, even size, 3x3', extent(8, 3, 2), [0, 1]],
    ['a stride larger than the filter', extent(10, 2, 4), [0, 0]],
    ['the last window beyond the image', extent(10, 2, 3), [0, 1]],
    ['dilation', extent(9, 2, 1, 3), [1, 2]],
    ['dilation and stride', extent(8, 3, 2, 2), [1, 2]],
  ])('%s', (_, one, [before, after]) => {
    const padding = resolvePadding('same', one, extent(5, 3));
    expect(padding).toEqual({ top: before, bottom: after, left: 1, right: 1 });
    const outputs =
      Math.floor((one.size + before + after - one.dilation * (one.filter - 1) - 1) / one.stride) + 1;
    expect(outputs).toBe(Math.ceil(one.size / one.stride));
  });
});

test('other settings', () => {
  const resolve = (setting: PaddingSetting) => resolvePadding(setting, extent(5, 3), extent(5, 3));
  expect(resolve('valid')).toEqual({ top: 0, bottom: 0, left: 0, right: 0 });
  expect(resolve([1, 2])).toEqual({ top: 1, bottom: 1, left: 2, right: 2 });
  const sides = { top: 1, bottom: 2, left: 3, right: 4 };
  expect(resolve(sides)).toEqual(sides);
  expect(paddingPair(sides)).toBeUndefined();
  expect(paddingPair(resolve([1, 2]))).toEqual([1, 2]);
});

test.each<[PaddingSetting, string]>([
  ['same', 'same'],
  ['valid', 'valid'],
  [[1, 1], '1'],
  [[1, 2], '1x2'],
  [{ top: 0, bottom: 1, left: 2, right: 3 }, '0,1,2,3'],
])('%j as text: %s', (setting, text) => {
  expect(showPadding(setting)).toBe(text);
  expect(parsePadding(text)).toEqual(setting);
});

test('text of equal sides is that of a pair; a pair may have a comma', () => {
  expect(showPadding({ top: 1, bottom: 1, left: 2, right: 2 })).toBe('1x2');
  expect(parsePadding(' 1, 2 ')).toEqual([1, 2]);
  for (const text of ['', 'full', '1,2,3', '1,', '-1', '1.5', '1,2,3,4,5'])
    expect(parsePadding(text)).toBeUndefined();
});

test.each<unknown>([
  ...['full', 1, null, undefined, [1], [1, -1], [1, 2, 3], { top: 1 }],
  { top: 1, bottom: 1, left: 1, right: -1 },
  { top: 1, bottom: 1, left: 1, right: 1, front: 1 },
])('%j is no padding', (value) => {
  expect(isPaddingSetting(value)).toBe(false);
});
