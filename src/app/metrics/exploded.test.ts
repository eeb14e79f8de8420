import { expect, test } from 'vitest';
import { hasExploded } from './exploded.ts';

test.each([
  ['before the first test', undefined, false],
  ['a loss of 22 at 10 %', { testLoss: 22, testAccuracy: 0.1 }, true],
  ['guessing, with the loss of guessing', { testLoss: 2.31, testAccuracy: 0.098 }, false],
  ['overfitting: sure of its mistakes, but mostly correct', { testLoss: 9, testAccuracy: 0.7 }, false],
])('%s: %o', (_, evaluation, expected) => {
  expect(hasExploded(evaluation, 10)).toBe(expected);
});
