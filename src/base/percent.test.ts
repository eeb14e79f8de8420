import { expect, test } from 'vitest';
import { percent } from './percent.ts';

test.each([
  [0.95123, 1, '95.1 %'],
  [0.9805, 2, '98.05 %'],
  [0.5, 0, '50 %'],
  // Only all is 100 %, and only nothing is 0 %.
  [1, 0, '100 %'],
  [1, 2, '100.00 %'],
  [0.9951, 0, '>99 %'],
  [0.9949, 0, '99 %'],
  [0.9965, 1, '99.7 %'],
  [0.99999, 1, '>99.9 %'],
  [0.99999, 2, '>99.99 %'],
  [0, 1, '0.0 %'],
  [0.004, 0, '<1 %'],
  [1e-9, 1, '<0.1 %'],
  [0.0005, 1, '0.1 %'],
  // Differences and changes.
  [-0.016, 1, '-1.6 %'],
  [-1e-6, 1, '0.0 %'],
  [1.25, 0, '125 %'],
  [NaN, 1, 'NaN %'],
])('%d with %i digits is %s', (share, digits, text) => {
  expect(percent(share, digits)).toBe(text);
});
