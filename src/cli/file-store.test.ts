import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { testFileStore } from '../storage/testing.ts';
import { FolderFileStore } from './file-store.ts';

const root = mkdtempSync(path.join(tmpdir(), 'wgrad-'));
let made = 0;
const folder = () => path.join(root, String(made++));
afterAll(() => rmSync(root, { recursive: true }));

testFileStore('folder', () => new FolderFileStore(folder()));

describe('folder', () => {
  it('leaves nothing but the file behind', async () => {
    const at = folder();
    const store = new FolderFileStore(at);
    await store.write('file', Uint8Array.of(1));
    await store.write('file', Uint8Array.of(2));
    expect(readdirSync(at)).toEqual(['file']);
  });

  it('does not list files that are still being written', async () => {
    const at = folder();
    const store = new FolderFileStore(at);
    await store.write('a/file', Uint8Array.of(1));
    writeFileSync(path.join(at, 'a', 'file.123.tmp'), 'half');
    expect(await store.list('a')).toEqual(['a/file']);
  });

  it('says what the system refused', async () => {
    const at = folder();
    writeFileSync(at, 'a file, not a folder');
    await expect(new FolderFileStore(at).write('file', Uint8Array.of(1))).rejects.toMatchObject({
      code: 'storage',
    });
  });
});
