import { expect, test } from 'vitest';
import { lossWords, ofTheirSize, whole } from './words.ts';

test('numbers in text', () => {
  expect(whole(12345)).toBe('12,345');
  expect(ofTheirSize(0.0142)).toBe('1.4 % of their size');
  expect(ofTheirSize(1e-9)).toBe('1.0e-7 % of their size');
  expect(ofTheirSize(137)).toBe('140 times their size');
  expect(lossWords(2.3026)).toBe('2.30');
  expect(lossWords(7.66e5)).toBe('770,000');
  expect(lossWords(7.66e11)).toBe('7.7e+11');
});
