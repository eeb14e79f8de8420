import { spawnSync } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testFileStore } from '../storage/testing.ts';
import { FolderStore, replaceFile, requireWritable, writeOutput } from './files.ts';
import { OWNER, ownerOf } from './owner.ts';

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

/** A process that was killed, and the same on another machine. */
const gone = () => ownerOf(spawnSync(process.execPath, ['-e', '']).pid);
const elsewhere = () => gone().replace(/\w+$/, (machine) => (machine === '00000000' ? '1' : '0').repeat(8));

test('the remains of processes that were killed are deleted; those of running ones, and of other machines, stay', async () => {
  const [killed, running] = [gone(), ownerOf(process.ppid)];
  const left = [`file.${running}.part`, `other.${killed}.part`, 'file.x.part', `file.${elsewhere()}.part`];
  for (const name of [`file.${killed}.part`, ...left]) await writeFile(join(folder, name), 'half');
  await replaceFile(path, 'new');
  expect(await readdir(folder)).toEqual([...left, 'file'].sort());
});

describe('a file that a person named', () => {
  test('is replaced whole; a link is followed; what is not a plain file is written to', async () => {
    await writeFile(path, 'old');
    await symlink(path, join(folder, 'link'));
    await writeOutput(join(folder, 'link'), 'new');
    expect(await readFile(path, 'utf8')).toBe('new');
    expect((await lstat(join(folder, 'link'))).isSymbolicLink()).toBe(true);
    await writeOutput('/dev/null', 'nothing');
    expect((await lstat('/dev/null')).isCharacterDevice()).toBe(true);
  });

  test('keeps its old content if it cannot be written', async () => {
    await writeFile(path, 'old');
    // Stands in for a full disk.
    await mkdir(`${path}.${OWNER}.part`);
    await expect(writeOutput(path, 'new')).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringMatching(/file could not be written: EISDIR/) as string,
    });
    expect(await readFile(path, 'utf8')).toBe('old');
  });

  test.each([
    ['none/file', /^--save: .*none\/file cannot be written: there is no folder .*none$/],
    ['', /cannot be written: it is a folder$/],
    ['file/file', /there is no folder/],
    ['taken', /cannot be written: EISDIR/],
  ])('can be checked before it is written: %s', async (name, message) => {
    await writeFile(path, 'old');
    await mkdir(join(folder, `taken.${OWNER}.part`));
    await expect(requireWritable('--save', join(folder, name))).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringMatching(message) as string,
    });
    expect(await readFile(path, 'utf8')).toBe('old');
  });

  test('leaves nothing when it is checked, nor what a process that was killed left', async () => {
    await writeFile(`${path}.${gone()}.part`, 'half');
    await requireWritable('--save', path);
    await requireWritable('--save', '/dev/null');
    expect(await readdir(folder)).toEqual([]);
  });
});
