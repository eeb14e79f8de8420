import { describe, expect, it } from 'vitest';
import { OpfsFileStore } from './opfs.ts';
import { FakeDirectory, testFileStore, type FakeFile } from './testing.ts';

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
    expect([...(root.children.get('a') as FakeDirectory).children.keys()]).toEqual(['old']);
  });

  it('writes a large file in slices, between which other work is done', async () => {
    const store = new OpfsFileStore(async () => new FakeDirectory().handle);
    const root = new FakeDirectory();
    const large = new OpfsFileStore(async () => root.handle);
    const bytes = Uint8Array.from({ length: 9_000_001 }, (_, i) => i % 251);
    const done: string[] = [];
    const writing = large.write('large', bytes).then(() => done.push('large'));
    // A task of the worker's that comes in between, as the steps of a run do.
    await new Promise((tick) => setTimeout(tick));
    await store.write('small', Uint8Array.of(1));
    done.push('small');
    await writing;
    expect(done).toEqual(['small', 'large']);
    expect(Buffer.compare((await large.read('large')) ?? bytes.subarray(1), bytes)).toBe(0);
  });

  it('leaves nothing of a file that could not be written', async () => {
    const root = new FakeDirectory();
    const store = new OpfsFileStore(async () => root.handle);
    await store.write('a/old', Uint8Array.of(1));
    root.faults.onWrite = full;
    for (const path of ['a/old', 'a/new'])
      await expect(store.write(path, Uint8Array.of(2, 3))).rejects.toMatchObject({ code: 'storage' });
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

  it.each(['NotReadableError', 'NotFoundError', 'AbortError'])(
    'reads the new content of a file that is replaced after it was opened, more than once: %s',
    async (name) => {
      const root = new FakeDirectory();
      const store = new OpfsFileStore(async () => root.handle);
      await store.write('a/file', Uint8Array.of(0));
      let written = 0;
      root.faults.onRead = async () => {
        if (written === 3) return;
        await store.write('a/file', Uint8Array.of(++written));
        throw new DOMException('', name);
      };
      expect(await store.read('a/file')).toEqual(Uint8Array.of(3));
    },
  );

  it('that cannot be read at all is a failure, not a missing file', async () => {
    const root = new FakeDirectory();
    const store = new OpfsFileStore(async () => root.handle);
    await store.write('file', Uint8Array.of(1));
    (root.children.get('file') as FakeFile).getFile = () =>
      Promise.reject(new DOMException('', 'NotFoundError'));
    await expect(store.read('file')).rejects.toMatchObject({ code: 'storage' });
  });

  it('adds up the sizes of what is there, if others rename files meanwhile', async () => {
    const root = new FakeDirectory();
    const store = new OpfsFileStore(async () => root.handle);
    await store.write('a/file', new Uint8Array(5));
    await store.write('a/half', new Uint8Array(7));
    const half = (root.children.get('a') as FakeDirectory).children.get('half') as FakeFile;
    half.getFile = () => Promise.reject(new DOMException('', 'NotFoundError'));
    expect(await store.size('a')).toBe(5);
  });

  it('does not hide errors other than a missing file', async () => {
    const { handle } = new FakeDirectory();
    const store = new OpfsFileStore(async () => handle);
    await store.write('a/file', Uint8Array.of(1));
    await expect(store.read('a')).rejects.toMatchObject({ code: 'storage' });
  });
});
