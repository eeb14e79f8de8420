import { describe, expect, it } from 'vitest';
import { OpfsFileStore } from './opfs.ts';
import { FakeDirectory, testFileStore } from './testing.ts';

testFileStore('origin private file system', () => {
  const { handle } = new FakeDirectory();
  return new OpfsFileStore(async () => handle);
});

describe('origin private file system', () => {
  const full = new DOMException('quota', 'QuotaExceededError');

  it('reports a full disk, and preserves the old content', async () => {
    const root = new FakeDirectory();
    const store = new OpfsFileStore(async () => root.handle);
    await store.write('a/old', Uint8Array.of(1));
    root.faults.onWrite = full;
    await expect(store.write('a/old', Uint8Array.of(2))).rejects.toMatchObject({
      code: 'storage',
      message: "the browser's storage could not write a/old: it is full",
    });
    await expect(store.write('a/new', Uint8Array.of(2))).rejects.toMatchObject({ code: 'storage' });
    expect(await store.read('a/old')).toEqual(Uint8Array.of(1));
    expect(await store.list('a')).toEqual(['a/old']);
  });

  it('leaves nothing of a file that could not be written', async () => {
    const root = new FakeDirectory();
    const store = new OpfsFileStore(async () => root.handle);
    await store.write('a/old', Uint8Array.of(1));
    root.faults.onWrite = full;
    for (const path of ['a/old', 'a/new'])
      await expect(store.write(path, Uint8Array.of(2, 3))).rejects.toThrow();
    const folder = await root.getDirectoryHandle('a');
    expect([...folder.children.keys()]).toEqual(['old']);
  });

  it('gives a reason and advice that can be followed, where the browser gives none', async () => {
    const root = new FakeDirectory();
    root.faults.onWrite = new DOMException('', 'QuotaExceededError');
    const store = new OpfsFileStore(async () => root.handle);
    await expect(store.write('a', Uint8Array.of(1))).rejects.toMatchObject({
      message: "the browser's storage could not write a: it is full",
      advice: expect.stringContaining('Browser storage'),
    });
    root.faults.onWrite = new DOMException('', 'InvalidStateError');
    await expect(store.write('a', Uint8Array.of(1))).rejects.toMatchObject({
      message: "the browser's storage could not write a: InvalidStateError",
    });
  });

  it('neither lists nor keeps the remains of unfinished writes', async () => {
    const root = new FakeDirectory();
    const store = new OpfsFileStore(async () => root.handle);
    await store.write('a/whole', Uint8Array.of(1));
    const folder = await root.getDirectoryHandle('a');
    await folder.getFileHandle('half.crswap', { create: true });
    await folder.getFileHandle('half.1234.part', { create: true });
    expect(await store.list('a')).toEqual(['a/whole']);
    await store.sweep();
    expect([...folder.children.keys()]).toEqual(['whole']);
  });

  it('does not hide errors other than a missing file', async () => {
    const { handle } = new FakeDirectory();
    const store = new OpfsFileStore(async () => handle);
    await store.write('a/file', Uint8Array.of(1));
    await expect(store.read('a')).rejects.toMatchObject({ code: 'storage' });
  });
});
