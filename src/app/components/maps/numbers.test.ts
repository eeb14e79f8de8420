import { expect, test } from 'vitest';
import { channelsOf, digits, fixed, rangeOf, reachOf, strongest } from './numbers.ts';

test('ranges exclude values that are not finite', () => {
  expect(rangeOf([1, -3, 2])).toEqual({ least: -3, most: 2 });
  expect(rangeOf([1, -3, 2], 2)).toEqual({ least: 2, most: 2 });
  expect(rangeOf([NaN, 1, Infinity])).toEqual({ least: 1, most: 1 });
  expect(rangeOf([NaN])).toEqual({ least: 0, most: 0 });
  expect(reachOf({ least: -3, most: 2 })).toBe(3);
});

test('silent channels have only zeros', () => {
  const found = channelsOf(Float32Array.of(0, 0, 1, 0, NaN, NaN), 3);
  expect(found.map(({ silent }) => silent)).toEqual([true, false, false]);
  expect(found[1]).toEqual({ least: 0, most: 1, silent: false });
});

test('the strongest value of a part, counted from its start', () => {
  expect(strongest([9, 1, -4, 4], 1, 4)).toBe(1);
  expect(strongest([0, 0], 0, 2)).toBe(0);
});

test.each([
  [0, 3, '0.00'],
  [-0.03125, 3, '−0.0313'],
  [1234.5678, 7, '1234.568'],
  [0.000012345, 3, '1.23e−5'],
  [123456, 3, '1.23e5'],
  [-Infinity, 3, '−Infinity'],
])('%f to %i digits', (value, count, text) => expect(digits(value, count)).toBe(text));

test('numbers of one table have the same number of decimals', () => {
  expect([0.286, -0.04, 0.0004, 0].map((value) => fixed(value, 0.286))).toEqual([
    '0.286',
    '−0.040',
    '0.000',
    '0',
  ]);
  expect([3.7, -0.4].map((value) => fixed(value, 3.7))).toEqual(['3.70', '−0.40']);
  expect(fixed(1234, 1234)).toBe('1234');
  expect(fixed(NaN, 1)).toBe('NaN');
});
