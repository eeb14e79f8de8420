import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readBytes } from './read.ts';
import { deviceIn, pipeIn } from './testing.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wgrad-'));
  await writeFile(join(folder, 'file'), 'content');
});
afterEach(() => rm(folder, { recursive: true }));

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

test('a file is read, and a pipe to its end', async () => {
  expect(text(await readBytes(join(folder, 'file')))).toBe('content');
  const pipe = pipeIn(folder);
  const [, bytes] = await Promise.all([writeFile(pipe, 'x'.repeat(300_000)), readBytes(pipe)]);
  expect(bytes.length).toBe(300_000);
  await expect(Promise.all([readBytes(pipe, 10), writeFile(pipe, 'eleven byte')])).rejects.toMatchObject({
    code: 'bad-file',
    message: `${pipe}: expected at most 10 bytes, found 11`,
  });
});

test.each([
  ['none', 'not-found', /none cannot be read: ENOENT/],
  ['file/x', 'not-found', /cannot be read: ENOTDIR/],
  ['circle', 'not-found', /cannot be read: ELOOP/],
  ['folder', 'bad-file', /folder: expected a file, found a folder$/],
  ['/', 'bad-file', /^\/: expected a file, found a folder$/],
  ['file', 'bad-file', /file: expected at most 6 bytes, found 7$/],
])('%s is refused with a reason', async (name, code, message) => {
  await mkdir(join(folder, 'folder'));
  await symlink('circle', join(folder, 'circle'));
  const path = name.startsWith('/') ? name : join(folder, name);
  await expect(readBytes(path, 6)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message) as string,
  });
});

test('a device, which may have no end, is refused', async () => {
  await expect(readBytes(deviceIn(folder))).rejects.toThrow(/null: expected a file, found a device$/);
});
