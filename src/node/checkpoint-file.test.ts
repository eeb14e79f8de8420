import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CheckpointFile } from '../storage/checkpoint-file.ts';
import { MemoryFileStore, type FileStore } from '../storage/file-store.ts';
import { FolderStore } from './files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wgrad-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (file: CheckpointFile, byte: number) => file.write(Uint8Array.of(byte));

describe.each([
  ['memory', (): FileStore => new MemoryFileStore()],
  ['a folder', () => new FolderStore(folder)],
])('in %s', (_, make) => {
  let store: FileStore;
  beforeEach(() => {
    store = make();
  });
  const open = (fresh = false) => new CheckpointFile(store, 'a/run', fresh);
  const read = async () => (await open().read()).map(({ bytes }) => [...bytes]);

  test('the newest and the previous one exist, and nothing else', async () => {
    const file = open();
    expect(await read()).toEqual([]);
    for (const byte of [1, 2, 3]) await write(file, byte);
    expect(await read()).toEqual([[3], [2]]);
    expect(await store.list('a')).toEqual(['a/run', 'a/run.previous']);
    await file.remove();
    expect(await store.list('a')).toEqual([]);
  });

  test('who resumes overwrites the newest, which may be damaged, not the previous one', async () => {
    const file = open();
    for (const byte of [1, 2]) await write(file, byte);
    const next = open();
    await write(next, 3);
    expect(await read()).toEqual([[3], [1]]);
    await write(next, 4);
    expect(await read()).toEqual([[4], [3]]);
  });

  test('the first checkpoint of a new run replaces those of another run', async () => {
    const file = open();
    for (const byte of [1, 2]) await write(file, byte);
    await write(open(true), 3);
    expect(await read()).toEqual([[3]]);
  });
});

test('a failed write is a failure, and leaves nothing behind', async () => {
  const none = new CheckpointFile(new FolderStore(join(folder, 'none')), 'run');
  await expect(write(none, 1)).rejects.toMatchObject({
    code: 'storage',
    message: expect.stringMatching(/^the checkpoint could not be written: there is no folder/) as string,
  });
  expect(await readdir(folder)).toEqual([]);
});
