/** For tests: the contract of file stores, and a file system like the browser's. */
import { describe, expect, it } from 'vitest';
import type { FileStore } from './file-store.ts';

const NO_PATHS = ['', '/a', 'a/', 'a//b', '../a', 'a/../../b', '.', 'a/.', 'a\\b', 'a\0'];

/**
 * Tests a kind of file store.
 * @param make returns an empty one
 * @param refused what is no path in it
 */
export function testFileStore(
  kind: string,
  make: () => FileStore | Promise<FileStore>,
  refused: readonly string[] = NO_PATHS,
): void {
  describe(`${kind}: the contract of file stores`, () => {
    it('reads what was written, as a copy', async () => {
      const store = await make();
      const bytes = Uint8Array.of(0, 1, 2, 3).subarray(1);
      await store.write('a/b/c.bin', bytes);
      bytes.fill(9);
      const read = await store.read('a/b/c.bin');
      expect(read).toEqual(Uint8Array.of(1, 2, 3));
      read?.fill(9);
      expect(await store.read('a/b/c.bin')).toEqual(Uint8Array.of(1, 2, 3));
    });

    it('replaces a file, by a shorter or an empty one too', async () => {
      const store = await make();
      for (const length of [5, 2, 0, 3]) {
        await store.write('file', new Uint8Array(length).fill(length));
        expect(await store.read('file')).toEqual(new Uint8Array(length).fill(length));
      }
    });

    it('reads a part', async () => {
      const store = await make();
      await store.write('file', Uint8Array.of(1, 2, 3, 4));
      expect(await store.read('file', 1, 3)).toEqual(Uint8Array.of(2, 3));
      expect(await store.read('file', 2, 9)).toEqual(Uint8Array.of(3, 4));
      expect(await store.read('none', 0, 1)).toBeUndefined();
    });

    it('returns undefined for missing files', async () => {
      const store = await make();
      expect(await store.read('none')).toBeUndefined();
      expect(await store.read('no/folder/none')).toBeUndefined();
    });

    it('lists everything in a folder and below, and nothing else', async () => {
      const store = await make();
      for (const path of ['data/b', 'data/a/x', 'database', 'data-2/c'])
        await store.write(path, Uint8Array.of(1));
      expect(await store.list('data')).toEqual(['data/a/x', 'data/b']);
      expect(await store.list('none')).toEqual([]);
      expect(await store.list('')).toEqual(['data-2/c', 'data/a/x', 'data/b', 'database']);
    });

    it('deletes files and folders, also if they do not exist', async () => {
      const store = await make();
      for (const path of ['data/a/x', 'data/a/y', 'data/b', 'database'])
        await store.write(path, Uint8Array.of(1));
      await store.remove('data/a/x');
      expect(await store.list('data')).toEqual(['data/a/y', 'data/b']);
      await store.remove('data');
      expect(await store.list('data')).toEqual([]);
      expect(await store.read('data/b')).toBeUndefined();
      expect(await store.read('database')).toBeDefined();
      await store.remove('data');
      await store.remove('no/folder/none');
    });

    it('preserves the file before under another name', async () => {
      const store = await make();
      for (let step = 1; step <= 3; step++) await store.write('run/last', Uint8Array.of(step), 'before');
      expect(await store.read('run/last')).toEqual(Uint8Array.of(3));
      expect(await store.read('run/before')).toEqual(Uint8Array.of(2));
      expect(await store.list('run')).toEqual(['run/before', 'run/last']);
    });

    it('adds up the sizes of files and folders', async () => {
      const store = await make();
      await store.write('data/a/x', new Uint8Array(3));
      await store.write('data/b', new Uint8Array(4));
      await store.write('database', new Uint8Array(5));
      expect(await Promise.all(['data', 'data/a', 'data/b', 'none'].map((path) => store.size(path)))).toEqual(
        [7, 3, 4, 0],
      );
    });

    it.each(refused)('refuses the path %j', async (path) => {
      const store = await make();
      await expect(async () => store.read(path)).rejects.toThrow('is no path');
      await expect(async () => store.write(path, Uint8Array.of(1))).rejects.toThrow('is no path');
    });
  });
}

interface Faults {
  /** What writing a file throws, if anything. */
  onWrite?: DOMException;
  /** Happens between the opening of a file and its reading, which fails if it fails. */
  onRead?(): Promise<void>;
}

/** Like the folders of the origin private file system, as far as we use them. */
export class FakeDirectory {
  readonly kind = 'directory';
  readonly children = new Map<string, FakeDirectory | FakeFile>();
  /** @param faults shared with all folders below */
  constructor(readonly faults: Faults = {}) {}

  getDirectoryHandle(name: string, options?: { create?: boolean }): Promise<FakeDirectory> {
    return this.child(name, options?.create, FakeDirectory);
  }

  getFileHandle(name: string, options?: { create?: boolean }): Promise<FakeFile> {
    return this.child(name, options?.create, FakeFile);
  }

  removeEntry(name: string, options?: { recursive?: boolean }): Promise<void> {
    const child = this.children.get(name);
    if (child === undefined) return Promise.reject(new DOMException(name, 'NotFoundError'));
    if (child instanceof FakeDirectory && child.children.size > 0 && !options?.recursive) {
      return Promise.reject(new DOMException(name, 'InvalidModificationError'));
    }
    this.children.delete(name);
    return Promise.resolve();
  }

  async *entries(): AsyncGenerator<[string, FakeDirectory | FakeFile]> {
    for (const entry of [...this.children]) yield await Promise.resolve(entry);
  }

  /** As the browser's type, for the code under test. */
  get handle(): FileSystemDirectoryHandle {
    return this as unknown as FileSystemDirectoryHandle;
  }

  private child<T extends FakeDirectory | FakeFile>(
    name: string,
    create: boolean | undefined,
    kind: new (faults: Faults, name: string) => T,
  ): Promise<T> {
    let child = this.children.get(name);
    if (child === undefined && create) this.children.set(name, (child = new kind(this.faults, name)));
    if (child === undefined) return Promise.reject(new DOMException(name, 'NotFoundError'));
    if (!(child instanceof kind)) return Promise.reject(new DOMException(name, 'TypeMismatchError'));
    return Promise.resolve(child);
  }
}

export class FakeFile {
  readonly kind = 'file';
  content = new Uint8Array();

  constructor(
    readonly faults: Faults,
    readonly name: string,
  ) {}

  move(folder: FakeDirectory, name: string): Promise<void> {
    const moved = new FakeFile(this.faults, name);
    moved.content = this.content;
    folder.children.delete(this.name);
    folder.children.set(name, moved);
    return Promise.resolve();
  }

  getFile(): Promise<File> {
    const file = new File([this.content], 'file');
    const slice = (start?: number, end?: number) => ({
      arrayBuffer: async () => {
        await this.faults.onRead?.();
        return File.prototype.slice.call(file, start, end).arrayBuffer();
      },
    });
    return Promise.resolve(Object.assign(file, { slice }) as unknown as File);
  }

  /** Takes effect immediately, as in workers. A write that fails leaves half of the data. */
  createSyncAccessHandle() {
    return Promise.resolve({
      write: (bytes: Uint8Array, { at }: { at: number }) => {
        const { onWrite } = this.faults;
        const taken = onWrite ? bytes.subarray(0, bytes.length / 2) : bytes;
        const content = new Uint8Array(Math.max(this.content.length, at + taken.length));
        content.set(this.content);
        content.set(taken, at);
        this.content = content;
        if (onWrite) throw onWrite;
        return bytes.length;
      },
      truncate: (bytes: number) => {
        this.content = this.content.slice(0, bytes);
      },
      flush: () => undefined,
      close: () => undefined,
    });
  }
}

/** Like the browser's locks of all tabs, as far as we use them: requested only if available. */
export class FakeLocks {
  private readonly held = new Set<string>();

  /** Closes all tabs, which releases their locks. */
  closed(): this {
    this.held.clear();
    return this;
  }

  /** As the browser's type, for the code under test. */
  get manager(): Pick<LockManager, 'request' | 'query'> {
    return this as unknown as LockManager;
  }

  query() {
    return Promise.resolve({ held: [...this.held].map((name) => ({ name })) });
  }

  async request<T>(
    name: string,
    _options: LockOptions,
    work: (lock: { name: string } | null) => Promise<T> | T,
  ): Promise<T> {
    await Promise.resolve();
    if (this.held.has(name)) return work(null);
    this.held.add(name);
    try {
      return await work({ name });
    } finally {
      this.held.delete(name);
    }
  }
}
