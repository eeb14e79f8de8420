import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceFile } from './files.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wgrad-'));
  path = join(folder, 'file');
});
afterEach(() => rm(folder, { recursive: true }));

test('the old file exists until the new one is written', async () => {
  await replaceFile(path, 'old');
  await replaceFile(path, Uint8Array.of(1, 2), async () => {
    expect(await readFile(path, 'utf8')).toBe('old');
  });
  expect([...(await readFile(path))]).toEqual([1, 2]);
  expect(await readdir(folder)).toEqual(['file']);
});

test('a failure leaves the old file, and nothing else', async () => {
  await writeFile(path, 'old');
  const fail = () => Promise.reject(new Error('full'));
  await expect(replaceFile(path, 'new', fail)).rejects.toThrow('full');
  expect(await readFile(path, 'utf8')).toBe('old');
  expect(await readdir(folder)).toEqual(['file']);
});
