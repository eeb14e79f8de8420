import { expect, test } from 'vitest';
import { lineDifference } from './line-difference.ts';

const shown = (before: string, after: string) =>
  lineDifference(before, after).map(
    ({ kind, text }) => ({ same: ' ', removed: '-', added: '+' })[kind] + text,
  );

test('lines that stay, go and come', () => {
  expect(shown('a\nb\nc\nd', 'a\nx\nc\nd\ne')).toEqual([' a', '-b', '+x', ' c', ' d', '+e']);
});

test('equal texts, and one that is empty', () => {
  expect(shown('a\nb', 'a\nb')).toEqual([' a', ' b']);
  expect(shown('', 'a')).toEqual(['-', '+a']);
});
