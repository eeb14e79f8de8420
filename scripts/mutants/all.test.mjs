import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { MUTANTS } from './all.mjs';

const path = (file) => fileURLToPath(new URL(`../../${file}`, import.meta.url));

test('every text to replace is in its file, once, and every fault is another', () => {
  for (const { file, replace, by } of MUTANTS) {
    expect(readFileSync(path(file), 'utf8').split(replace).length, `${file}: ${replace}`).toBe(2);
    expect(by).not.toBe(replace);
  }
  expect(new Set(MUTANTS.map((one) => JSON.stringify(one))).size).toBe(MUTANTS.length);
  expect(MUTANTS.length).toBeGreaterThanOrEqual(40);
});

test('every fault names tests that there are', () => {
  const files = readdirSync(path('src'), { recursive: true }).map(
    (file) => `src/${file.replaceAll('\\', '/')}`,
  );
  const named = [...new Set(MUTANTS.flatMap(({ tests }) => tests.split(' ')))];
  expect(named.filter((one) => !files.some((file) => file.includes(one) && file.includes('.test.')))).toEqual(
    [],
  );
});

test('faults cover every folder of kernels', () => {
  const folders = new Set(MUTANTS.map(({ file }) => /^shaders\/(\w+)/.exec(file)?.[1]));
  for (const folder of ['conv', 'gemm', 'batch_norm', 'pooling', 'loss', 'optimizers', 'gather', 'linear'])
    expect(folders).toContain(folder);
  expect(existsSync(path('scripts/mutants/run.mjs'))).toBe(true);
});
