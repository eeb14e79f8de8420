import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { checkStyles, sheetsOf } from './check-styles.mjs';

const check = (text, file = 'src/app/a.css') => checkStyles(new Map([[file, text]])).breaches;

it.each([
  ['a height of its own', '.a { min-height: 2rem; }'],
  ['a size of type of its own', '.a { font-size: 0.75rem; }'],
  ['a size in a shorthand', '.a { font: 600 0.8rem / 1.5 serif; }'],
  [
    'a fourth height',
    ':root { --control-s: 1rem; --control-m: 2rem; --control-l: 3rem; --control-xl: 4rem; }',
  ],
  ['a seventh width', [1, 2, 3, 4, 5, 6, 7].map((n) => `@media (width < ${n}rem) { }`).join('\n')],
  [
    'a thirteenth condition',
    Array.from({ length: 13 }, (_, n) => `@media (height < ${n}rem) { }`).join('\n'),
  ],
])('refuses %s', (_, text) => {
  expect(check(text)).toHaveLength(1);
});

it.each([
  ['heights and sizes of the scales', '.a { min-height: var(--control-m); font-size: var(--text-xs); }'],
  ['pictures and lines of text', '.a { height: 4rem; width: 2rem; line-height: 1.75rem; }'],
  ['the same condition in many places', '@media (width < 48rem) { }\n'.repeat(20)],
  ['units of a drawing', '.a text { font-size: 3px; }'],
  ['comments', '/* min-height: 2rem; font-size: 1rem; */'],
])('allows %s', (_, text) => {
  expect(check(text)).toEqual([]);
});

it('reports the place', () => {
  expect(check('.a {\n  height: 1.5rem;\n}')).toEqual([
    {
      file: 'src/app/a.css',
      line: 2,
      message: "expected a control's height to be var(--control-...), found 1.5rem",
    },
  ]);
});

it('finds nothing in this project', () => {
  expect(checkStyles(sheetsOf(fileURLToPath(new URL('..', import.meta.url)))).breaches).toEqual([]);
});
