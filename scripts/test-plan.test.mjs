import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { QUICK_JOURNEYS } from './test-plan.mjs';

test.each(Object.entries(QUICK_JOURNEYS))('%s has a journey "%s"', (file, title) => {
  expect(readFileSync(new URL(`../e2e/${file}.spec.ts`, import.meta.url), 'utf8')).toContain(
    `test('${title}`,
  );
});
