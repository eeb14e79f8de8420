import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CheckpointFile } from './checkpoint-file.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wgrad-'));
  path = join(folder, 'run');
});
afterEach(() => rm(folder, { recursive: true }));

const read = async () => (await new CheckpointFile(path).read()).map(({ bytes }) => [...bytes]);
const write = (file: CheckpointFile, byte: number) => file.write(Uint8Array.of(byte));

test('the newest and the previous one exist, and nothing else', async () => {
  const file = new CheckpointFile(path);
  expect(await read()).toEqual([]);
  for (const byte of [1, 2, 3]) await write(file, byte);
  expect(await read()).toEqual([[3], [2]]);
  expect(await readdir(folder)).toEqual(['run', 'run.previous']);
  await file.remove();
  expect(await readdir(folder)).toEqual([]);
});

test('a process that resumes overwrites the newest, which may be damaged, not the previous one', async () => {
  const file = new CheckpointFile(path);
  for (const byte of [1, 2]) await write(file, byte);
  const next = new CheckpointFile(path);
  await write(next, 3);
  expect(await read()).toEqual([[3], [1]]);
  await write(next, 4);
  expect(await read()).toEqual([[4], [3]]);
});

test('the first checkpoint of a new run replaces those of another run', async () => {
  const file = new CheckpointFile(path);
  for (const byte of [1, 2]) await write(file, byte);
  await write(new CheckpointFile(path, true), 3);
  expect(await read()).toEqual([[3]]);
});

test('a failed write is a failure, and leaves nothing behind', async () => {
  await expect(write(new CheckpointFile(join(folder, 'none', 'run')), 1)).rejects.toMatchObject({
    code: 'storage',
    message: expect.stringMatching(/^the checkpoint could not be written: ENOENT/) as string,
  });
  expect(await readdir(folder)).toEqual([]);
});
