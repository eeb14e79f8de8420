import { expect, test } from 'vitest';
import { ENTRANTS } from '../src/studies/frameworks/entrants.ts';
import { linesOfCode, sourceOf } from './sources.ts';

test('lines of code are those that are neither blank nor comments', async () => {
  expect(linesOfCode('/** A.\n * B. */\n\nconst a = 1; // one\n  // two\nlet b;\n')).toBe(2);
});

test('every contender has a source', async () => {
  const files = new Set(ENTRANTS.map(({ file }) => file));
  expect(files.size).toBe(8);
  for (const file of files) expect(linesOfCode(await sourceOf(file))).toBeGreaterThan(10);
});
