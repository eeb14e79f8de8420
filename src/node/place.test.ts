import { link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { beside, identityOf, kindOf, placeOf } from './place.ts';
import { deviceIn, pipeIn } from './testing.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'wgrad-')));
});
afterEach(() => rm(folder, { recursive: true }));
const at = (name: string) => `${folder}/${name}`;

describe('where a path leads', () => {
  test('through links of files and folders, to what is there or will be', async () => {
    await mkdir(at('deep/real'), { recursive: true });
    await symlink('deep/real', at('folder'));
    await symlink('folder/second', at('first'));
    await symlink('file', at('deep/real/second'));
    expect(await placeOf(at('first'))).toEqual({ path: at('deep/real/file') });
    await writeFile(at('deep/real/file'), '');
    const there = await placeOf(relative(process.cwd(), at('first')));
    expect(there).toMatchObject({ path: at('deep/real/file'), found: { size: 0n } });
    // The system follows the link before it goes up.
    expect(await placeOf(at('folder/../file'))).toEqual({ path: at('deep/file') });
  });

  test.each([
    ['none/file', /^there is no folder .*none$/],
    ['file/file', /^there is no folder .*file$/],
    ['dangling', /^there is no folder .*none$/],
    ['circle', /^ELOOP/],
    ['new/', /^it is a folder$/],
    ['n'.repeat(256), /^ENAMETOOLONG/],
  ])('%s: nowhere', async (name, message) => {
    await writeFile(at('file'), '');
    await symlink('none/file', at('dangling'));
    await symlink('circle', at('circle'));
    await expect(placeOf(at(name))).rejects.toThrow(message);
  });

  test('is one file under all of its names, also before it exists', async () => {
    await symlink('file', at('link'));
    const identity = async (path: string) => identityOf(await placeOf(path));
    expect(await identity(at('link'))).toBe(await identity(at('./file')));
    expect(await identity(at('link'))).not.toBe(await identity(at('other')));
    await writeFile(at('file'), '');
    await link(at('file'), at('hard'));
    expect(await identity(at('link'))).toBe(await identity(at('hard')));
  });

  test('is of a kind', async () => {
    pipeIn(folder);
    await writeFile(at('file'), '');
    const server = createServer().listen(at('socket'));
    await new Promise((done) => server.once('listening', done));
    const kinds = ['file', 'new', 'pipe', 'socket', '.'].map(async (name) => kindOf(await placeOf(at(name))));
    expect(await Promise.all(kinds)).toEqual(['a file', 'a file', 'a pipe', 'a socket', 'a folder']);
    expect(kindOf(await placeOf(deviceIn(folder)))).toBe('a device');
    expect(kindOf(await placeOf('/'))).toBe('a folder');
    server.close();
  });
});

test('a file beside another has its name with a suffix, as far as there is room', () => {
  expect(beside('a/file', '.part')).toBe('a/file.part');
  for (const letter of ['n', 'é', '漢']) {
    const long = letter.repeat(Math.floor(250 / Buffer.byteLength(letter)));
    const [one, other] = [`a/${long}`, `a/${long.slice(1)}x`].map((path) => beside(path, '.previous', 80));
    expect(one).not.toBe(other);
    expect(dirname(one)).toBe('a');
    expect(one.endsWith('.previous')).toBe(true);
    expect(Buffer.byteLength(basename(one))).toBeLessThanOrEqual(255 - 80 + '.previous'.length);
    expect(one).not.toContain('\uFFFD');
  }
});
