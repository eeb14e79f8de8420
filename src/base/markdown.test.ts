import { expect, test } from 'vitest';
import { inMarkdown } from './markdown.ts';

test.each([
  ['LeNet-5, by hand (1998)', 'LeNet-5, by hand (1998)'],
  ['<!-- \n hidden', '\\<!-- hidden'],
  ['<img src=x> [a](b) `c` **d** | #1', '\\<img src=x\\> \\[a\\](b) \\`c\\` \\*\\*d\\*\\* \\| \\#1'],
  ['![x](http://a.b)', '!\\[x\\](http://a.b)'],
])('%j', (given, expected) => {
  expect(inMarkdown(given)).toBe(expected);
});
