import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXPECTED_SUPPORT, expectedReason } from '../../../testing/conv-support.ts';
import { ALL_CONV_PROBLEMS } from '../../../testing/problems.ts';
import { DIRECTIONS } from '../problem.ts';
import { convAlgorithms, DEFAULT_ALGORITHM } from './index.ts';

const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test('every algorithm has its expected support written down', () => {
  expect(convAlgorithms.names()).toEqual(Object.keys(EXPECTED_SUPPORT).sort());
  expect(convAlgorithms.has(DEFAULT_ALGORITHM)).toBe(true);
});

test.each(folders)('%s is tested by the list of problems that all have to pass', (name) => {
  expect(existsSync(join(import.meta.dirname, name, `${name}.gpu.test.ts`))).toBe(true);
});

test.each(convAlgorithms.names())('%s says in a sentence what it does', (name) => {
  const { summary } = convAlgorithms.get(name);
  expect(summary).toMatch(/^[A-Z].{20,}\.$/);
});

test.each(convAlgorithms.names())(
  'the problems of tests meet every exclusion of %s, and what it supports',
  (name) => {
    const problems = ALL_CONV_PROBLEMS.map(({ problem }) => problem);
    for (const { excludes } of EXPECTED_SUPPORT[name]) {
      expect(problems.some((problem) => DIRECTIONS.some((direction) => excludes(problem, direction)))).toBe(
        true,
      );
    }
    expect(problems.some((problem) => expectedReason(name, problem, 'fprop') === undefined)).toBe(true);
  },
);
