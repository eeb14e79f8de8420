import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { convAlgorithms, DEFAULT_ALGORITHM } from './index.ts';

const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

test('the folders are the algorithms', () => {
  expect(convAlgorithms.names()).toEqual(folders);
  expect(convAlgorithms.has(DEFAULT_ALGORITHM)).toBe(true);
});

describe.each(folders)('%s', (name) => {
  test('is tested by the list of problems that all have to pass', () => {
    expect(existsSync(join(import.meta.dirname, name, `${name}.gpu.test.ts`))).toBe(true);
  });

  test('says in a sentence what it does, and how exact it is', () => {
    const { summary, tolerance } = convAlgorithms.get(name);
    expect(summary).toMatch(/^[A-Z].{20,}\.$/);
    expect(tolerance).toBeGreaterThan(0);
    expect(tolerance).toBeLessThanOrEqual(2e-5);
  });
});
