import { expect, test } from 'vitest';
import { showValue } from './show.ts';

test('a number has three digits and, however large it is, room beside its title', () => {
  const shown = [0.003847, 1.5321, 11_412, 601_234_567, NaN].map(showValue.number.value);
  expect(shown).toEqual(['0.00385', '1.53', '11400', '6.01e+8', 'NaN']);
});

test('a loss at an axis has at most five characters, however large it is', () => {
  const shown = [0, 0.5, 2.303, 9999, 20_000, 150_000, 2e6, 5e16].map(showValue.loss.tick);
  expect(shown).toEqual(['0', '0.5', '2.303', '9999', '20k', '150k', '2e+6', '5e+16']);
});
