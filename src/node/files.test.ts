import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testFileStore } from '../storage/testing.ts';
import { FolderStore, replaceFile } from './files.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wgrad-'));
  path = join(folder, 'file');
});
afterEach(() => rm(folder, { recursive: true }));

testFileStore('a folder on disk', async () => new FolderStore(await mkdtemp(join(folder, 'store-'))), [
  '',
  '/a',
  'a/',
  'a//b',
  '../a',
  'a/../../b',
  '.',
  'a/.',
  'a\0',
]);

test('a file is replaced, and the old one kept under another name', async () => {
  await replaceFile(path, 'old');
  await replaceFile(path, Uint8Array.of(1, 2), 'file.previous');
  expect([...(await readFile(path))]).toEqual([1, 2]);
  expect(await readFile(`${path}.previous`, 'utf8')).toBe('old');
  expect(await readdir(folder)).toEqual(['file', 'file.previous']);
});

test('a failure leaves the old file, and nothing else', async () => {
  await mkdir(path);
  await writeFile(join(path, 'inside'), 'old');
  await expect(replaceFile(path, 'new')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST|EPERM/);
  expect(await readFile(join(path, 'inside'), 'utf8')).toBe('old');
  expect(await readdir(folder)).toEqual(['file']);
});

test('the remains of processes that were killed are deleted, those of running ones stay', async () => {
  const { pid = 0 } = spawnSync(process.execPath, ['-e', '']);
  for (const name of [`file.${pid}.part`, `file.${process.ppid}.part`, `other.${pid}.part`, 'file.x.part'])
    await writeFile(join(folder, name), 'half');
  await replaceFile(path, 'new');
  const left = [`file.${process.ppid}.part`, `other.${pid}.part`, 'file.x.part', 'file'];
  expect(await readdir(folder)).toEqual(left.sort());
});
