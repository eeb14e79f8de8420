import { expect, test } from 'vitest';
import { showValue } from './show.ts';

test('a loss at an axis has at most five characters, however large it is', () => {
  const shown = [0, 0.5, 2.303, 9999, 20_000, 150_000, 2e6, 5e16].map(showValue.loss.tick);
  expect(shown).toEqual(['0', '0.5', '2.303', '9999', '20k', '150k', '2e+6', '5e+16']);
});
