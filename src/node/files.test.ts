import { spawnSync } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { testFileStore } from '../storage/testing.ts';
import { FolderStore, replaceFile, requireWritable, writeOutput } from './files.ts';
import { OWNER, ownerOf } from './owner.ts';
import { deviceIn, pipeIn } from './testing.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wgrad-'));
  path = join(folder, 'file');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

/** What all open files have in common, to see or break what is done with them. */
async function prototypeOf(existing: string): Promise<FileHandle> {
  const file = await open(existing);
  await file.close();
  return Object.getPrototypeOf(file) as FileHandle;
}

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
  await replaceFile(path, Uint8Array.of(1, 2), { previous: 'file.previous' });
  expect([...(await readFile(path))]).toEqual([1, 2]);
  expect(await readFile(`${path}.previous`, 'utf8')).toBe('old');
  expect(await readdir(folder)).toEqual(['file', 'file.previous']);
});

describe('a failure leaves the old file, and nothing else', () => {
  beforeEach(() => writeFile(path, 'old'));
  const left = async () => [await readdir(folder), await readFile(path, 'utf8')];

  test('in the middle of writing', async () => {
    const writing = (await prototypeOf(path)).writeFile;
    vi.spyOn(await prototypeOf(path), 'writeFile').mockImplementation(async function (this: FileHandle) {
      await writing.call(this, 'ne');
      throw new Error('ENOSPC: no space left on device');
    });
    await expect(replaceFile(path, 'new')).rejects.toThrow('ENOSPC');
    expect(await left()).toEqual([['file'], 'old']);
  });

  test('when it is flushed', async () => {
    vi.spyOn(await prototypeOf(path), 'sync').mockRejectedValue(new Error('EIO: i/o error'));
    await expect(replaceFile(path, 'new')).rejects.toThrow('EIO');
    expect(await left()).toEqual([['file'], 'old']);
  });

  test('when it is renamed', async () => {
    await mkdir(join(folder, 'previous'));
    await expect(replaceFile(path, 'new', { previous: 'previous' })).rejects.toThrow(/EISDIR|EPERM|EEXIST/);
    expect(await left()).toEqual([['file', 'previous'], 'old']);
  });

  test('where there is a folder', async () => {
    await mkdir(join(folder, 'taken'));
    await expect(replaceFile(join(folder, 'taken'), 'new')).rejects.toThrow(/taken: it is a folder$/);
    expect(await left()).toEqual([['file', 'taken'], 'old']);
  });
});

test('a file is flushed before it takes its name, and the folder after that', async () => {
  await writeFile(path, 'old');
  const prototype = await prototypeOf(path);
  const { sync } = prototype;
  const flushed: string[] = [];
  vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    const kind = (await this.stat()).isDirectory() ? 'folder' : 'file';
    const parts = (await readdir(folder)).filter((name) => name.endsWith('.part'));
    const contents = await Promise.all(
      ['file', ...parts].map((name) => readFile(join(folder, name), 'utf8')),
    );
    flushed.push(`${kind}: ${contents.join(', ')}`);
    await sync.call(this);
  });
  await replaceFile(path, 'new');
  expect(flushed).toEqual(['file: old, new', ...(process.platform === 'win32' ? [] : ['folder: new'])]);
});

test('the mode of a file stays, also where the umask would change it', async () => {
  for (const mode of [0o600, 0o666, 0o755]) {
    await writeFile(path, 'old');
    await chmod(path, mode);
    await replaceFile(path, 'new', { previous: 'previous' });
    expect((await stat(path)).mode & 0o777).toBe(mode);
  }
});

test('a link in place of an unfinished file is not followed', async () => {
  const victim = join(folder, 'victim');
  await writeFile(victim, 'dear');
  for (const write of [
    () => replaceFile(join(folder, 'file'), 'new'),
    () => requireWritable('--save', join(folder, 'file')),
  ]) {
    await symlink(victim, join(folder, `file.${OWNER}.part`));
    await write();
    expect(await readFile(victim, 'utf8')).toBe('dear');
    expect((await readdir(folder)).sort()).toEqual(['file', 'victim']);
    expect((await lstat(join(folder, 'file'))).isFile()).toBe(true);
  }
});

describe('behind a link', () => {
  const link = () => join(folder, 'link');
  const real = () => readdir(join(folder, 'real'));
  beforeEach(async () => {
    await mkdir(join(folder, 'real'));
    await symlink('real/file', link());
  });

  test('a file is written where the link leads, with the one before beside it', async () => {
    // At first, nothing is there.
    await replaceFile(link(), 'old');
    await replaceFile(link(), 'new', { previous: 'file.previous' });
    expect(await readdir(folder)).toEqual(['link', 'real']);
    expect((await lstat(link())).isSymbolicLink()).toBe(true);
    expect(await real()).toEqual(['file', 'file.previous']);
    expect(await readFile(link(), 'utf8')).toBe('new');
  });

  test('its parts are beside it, and what is left of them is deleted there', async () => {
    await writeFile(join(folder, `real/file.${gone()}.part`), 'half');
    await mkdir(join(folder, `real/file.${OWNER}.part`));
    await expect(replaceFile(link(), 'new')).rejects.toThrow('EISDIR');
    expect(await real()).toEqual([`file.${OWNER}.part`]);
  });
});

test('a long name leaves room for the temporary one', async () => {
  const names = ['n'.repeat(250), `${'n'.repeat(249)}m`, '漢'.repeat(83)];
  for (const name of names) {
    await requireWritable('--save', join(folder, name));
    await replaceFile(join(folder, name), name);
  }
  expect((await readdir(folder)).sort()).toEqual([...names].sort());
  for (const name of names) expect(await readFile(join(folder, name), 'utf8')).toBe(name);
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
  test('may be a pipe, which is written to, also behind a link', async () => {
    const pipe = pipeIn(folder);
    await symlink(pipe, join(folder, 'link'));
    for (const name of [pipe, join(folder, 'link')]) {
      await requireWritable('--save', name);
      const [read] = await Promise.all([readFile(pipe), writeOutput(name, new Uint8Array(300_000).fill(7))]);
      expect(read.equals(Buffer.alloc(300_000, 7))).toBe(true);
    }
    expect((await lstat(pipe)).isFIFO()).toBe(true);
    expect((await readdir(folder)).sort()).toEqual(['link', 'pipe']);
  });

  test('may be a device, which is written to', async () => {
    const device = deviceIn(folder);
    await requireWritable('--save', device);
    await writeOutput(device, 'nothing');
    expect((await lstat(device)).isCharacterDevice()).toBe(true);
  });

  test('can be no device or pipe if it is to be read again', async () => {
    const pipe = pipeIn(folder);
    for (const [name, kind] of [
      [pipe, 'a pipe'],
      [deviceIn(folder), 'a device'],
    ]) {
      const message = expect.stringContaining(`it is ${kind}, which cannot be replaced and read again`);
      await expect(requireWritable('--checkpoint', name, { kept: true })).rejects.toMatchObject({ message });
      await expect(replaceFile(name, 'new')).rejects.toMatchObject({ message });
    }
    expect((await lstat(pipe)).isFIFO()).toBe(true);
  });

  test('can be no socket', async () => {
    const server = createServer().listen(path);
    await new Promise((done) => server.once('listening', done));
    await expect(requireWritable('--save', path)).rejects.toThrow('it is a socket');
    await expect(writeOutput(path, 'new')).rejects.toThrow('it is a socket');
    server.close();
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
    ['x.123.part', /names of unfinished files end like this/],
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
    expect(await readdir(folder)).toEqual([]);
  });
});
