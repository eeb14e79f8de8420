import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLock } from './lock.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wgrad-'));
  path = join(folder, 'file');
});
afterEach(() => rm(folder, { recursive: true }));

test('work under one path is done one after the other, and leaves no lock', async () => {
  let inside = 0;
  const done = Array.from({ length: 20 }, (_, i) =>
    withLock(path, async () => {
      expect(++inside).toBe(1);
      await new Promise((later) => setTimeout(later, 2));
      inside--;
      return i;
    }),
  );
  expect(await Promise.all(done)).toEqual(Array.from({ length: 20 }, (_, i) => i));
  expect(await readdir(folder)).toEqual([]);
});

test('the lock is released when the work fails', async () => {
  await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await withLock(path, async () => 'again')).toBe('again');
});

test('the lock of a process that was killed is taken over, by one at a time', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  await writeFile(`${path}.lock`, `process ${pid} on ${hostname()}`);
  let inside = 0;
  await Promise.all(
    Array.from({ length: 10 }, () =>
      withLock(path, async () => {
        expect(++inside).toBe(1);
        await new Promise((later) => setTimeout(later, 2));
        inside--;
      }),
    ),
  );
  expect(await readdir(folder)).toEqual([]);
});

test('a lock whose owner cannot be asked for is taken over when it is old', async () => {
  await writeFile(`${path}.lock`, '');
  const old = new Date(Date.now() - 120_000);
  await utimes(`${path}.lock`, old, old);
  expect(await withLock(path, async () => 'done')).toBe('done');
});
