import { describe, expect, it, vi } from 'vitest';
import { Failure } from '../base/result.ts';
import type { DatasetInfo, FileRole } from '../data/dataset.ts';
import { corrupted, TINY_MIRRORS, tinyBatches, tinyDataset } from '../data/testing.ts';
import { deleteDataset, isDatasetSaved, saveDataset, savedDataset } from './dataset-cache.ts';
import { MemoryFileStore } from './file-store.ts';
import { importDataset, obtainDataset } from './obtain.ts';
import { OpfsFileStore } from './opfs.ts';
import { FakeDirectory } from './testing.ts';

const PAGE = 'https://page.example/wgrad/';
const { info, packed, plain } = tinyDataset();
const shipped: DatasetInfo = { ...info, shipped: true, mirrors: [] };
const named = (files: ReadonlyMap<FileRole, Uint8Array>) =>
  [...files].map(([name, bytes]) => ({ name, bytes }));

type Files = ReadonlyMap<FileRole, Uint8Array>;
const nothing: Files = new Map();

/** A network in which the page has some files and the mirrors have others. */
function network({
  page = nothing,
  mirrors = nothing,
  missing,
}: {
  page?: Files;
  mirrors?: Files;
  missing?: () => Response;
}) {
  return vi.fn<typeof fetch>((url) => {
    const address = String(url);
    const role = /([^/]*)\.gz$/.exec(address)?.[1] as FileRole;
    const bytes = (address.startsWith(`${PAGE}datasets/tiny/`) ? page : mirrors).get(role);
    if (bytes !== undefined) return Promise.resolve(new Response(Uint8Array.from(bytes)));
    return Promise.resolve(missing?.() ?? new Response('', { status: 404 }));
  });
}
const calls = (fetch: ReturnType<typeof network>) => fetch.mock.calls.map(([url]) => String(url));
const devServer = () =>
  new Response('<!doctype html><title>wgrad</title>', { headers: { 'content-type': 'text/html' } });

describe('obtainDataset', () => {
  it('reads a shipped set from the page, and saves nothing', async () => {
    const store = new MemoryFileStore();
    const progress: [number, number][] = [];
    const { dataset, source } = await obtainDataset(shipped, store, {
      pageUrl: PAGE,
      fetch: network({ page: packed }),
      onProgress: (received, total) => progress.push([received, total]),
    });
    expect(source).toBe('page');
    expect(dataset.train.count).toBe(20);
    expect(await store.list('datasets')).toEqual([]);
    const total = info.files.reduce((sum, file) => sum + file.bytes, 0);
    expect(progress.at(-1)).toEqual([total, total]);
  });

  it('accepts files that the server has unpacked', async () => {
    const { dataset } = await obtainDataset(shipped, new MemoryFileStore(), {
      pageUrl: PAGE,
      fetch: network({ page: plain }),
    });
    expect(dataset.test?.count).toBe(10);
  });

  it.each([
    ['are missing', network({}), 'download'],
    ['are answered with the page itself', network({ missing: devServer }), 'download'],
    [
      'have other bytes',
      network({ page: new Map(packed).set('test-labels', corrupted(packed.get('test-labels'), 15)) }),
      'checksum',
    ],
    [
      'have other bytes, unpacked',
      network({ page: new Map(plain).set('test-labels', corrupted(plain.get('test-labels'), 12)) }),
      'checksum',
    ],
  ])('fails, with advice, when files of a shipped set %s', async (_, fetch, code) => {
    const work = obtainDataset(shipped, new MemoryFileStore(), { pageUrl: PAGE, fetch });
    await expect(work).rejects.toMatchObject({ code, advice: expect.stringContaining('Reload') as string });
  });

  it.each([
    ['has none', network({ mirrors: packed })],
    ['answers with itself', network({ mirrors: packed, missing: devServer })],
    [
      'has others',
      network({
        mirrors: packed,
        page: new Map(packed).set('train-images', corrupted(packed.get('train-images'), 50)),
      }),
    ],
  ])('downloads and saves a set when the page %s', async (_, fetch) => {
    const store = new MemoryFileStore();
    const first = await obtainDataset(info, store, { pageUrl: PAGE, fetch });
    expect(first.source).toBe('download');
    expect(await isDatasetSaved(store, info)).toBe(true);

    const offline = network({});
    const second = await obtainDataset(info, store, { pageUrl: PAGE, fetch: offline });
    expect(second).toEqual({ dataset: first.dataset, source: 'storage' });
    expect(offline).not.toHaveBeenCalled();
  });

  it("prefers the page's own files to a download", async () => {
    const fetch = network({ page: packed });
    expect((await obtainDataset(info, new MemoryFileStore(), { pageUrl: PAGE, fetch })).source).toBe('page');
    expect(calls(fetch).some((url) => TINY_MIRRORS.some((mirror) => url.startsWith(mirror)))).toBe(false);
  });

  it('looks once, not four times, for files that the page does not have', async () => {
    const fetch = network({ mirrors: packed });
    await obtainDataset(info, new MemoryFileStore(), { pageUrl: PAGE, fetch });
    expect(calls(fetch).filter((url) => url.startsWith(PAGE)).length).toBe(1);
  });

  it('fetches again when a saved file was damaged', async () => {
    const store = new MemoryFileStore();
    await saveDataset(store, info, packed);
    await store.write('datasets/tiny/train-images', corrupted(packed.get('train-images'), 60));
    const { source } = await obtainDataset(info, store, {
      pageUrl: PAGE,
      fetch: network({ mirrors: packed }),
    });
    expect(source).toBe('download');
    expect(await savedDataset(store, info)).toEqual(packed);
  });

  it('is ready, and reports why it was not saved, when storage is full', async () => {
    const root = new FakeDirectory({ onWrite: new DOMException('quota', 'QuotaExceededError') });
    const store = new OpfsFileStore(async () => root.handle);
    const { dataset, notSaved } = await obtainDataset(info, store, {
      pageUrl: PAGE,
      fetch: network({ mirrors: packed }),
    });
    expect(dataset.train.count).toBe(20);
    expect(notSaved?.code).toBe('storage');
    expect(await store.list('datasets')).toEqual([]);
  });

  it('can be cancelled, and then saves nothing', async () => {
    const store = new MemoryFileStore();
    const controller = new AbortController();
    const fetch = network({ mirrors: packed });
    const work = obtainDataset(info, store, {
      pageUrl: PAGE,
      fetch,
      signal: controller.signal,
      onProgress: (received) => received > 0 && controller.abort(),
    });
    await expect(work).rejects.toMatchObject({ code: 'cancelled' });
    expect(await store.list('datasets')).toEqual([]);
  });
});

describe('importDataset', () => {
  it.each([
    ['gzipped', packed],
    ['unpacked', plain],
  ])('saves %s files', async (_, files) => {
    const store = new MemoryFileStore();
    const { dataset } = await importDataset(info, store, named(files));
    const again = await obtainDataset(info, store, { pageUrl: PAGE, fetch: network({}) });
    expect(again).toEqual({ dataset, source: 'storage' });
  });

  it('leaves the saved set when the files are wrong', async () => {
    const store = new MemoryFileStore();
    await importDataset(info, store, named(packed));
    const bad = named(new Map(plain).set('train-images', corrupted(plain.get('train-images'), 60)));
    await expect(importDataset(info, store, bad)).rejects.toBeInstanceOf(Failure);
    expect(await savedDataset(store, info)).toEqual(packed);
  });
});

describe('batches', () => {
  const { info: published, plain: files, archive } = tinyBatches();
  const page = (answer: (name: string) => Uint8Array | string | undefined) =>
    vi.fn<typeof fetch>((url) => {
      const body = answer(String(url).slice(`${PAGE}datasets/tiny/`.length));
      if (body === undefined) return Promise.resolve(new Response('', { status: 404 }));
      return Promise.resolve(new Response(typeof body === 'string' ? body : Uint8Array.from(body)));
    });
  const fileNamed = (name: string) => files.get(name.replace('.bin', '') as FileRole);

  it('are saved unpacked from their archive', async () => {
    const store = new MemoryFileStore();
    const { dataset } = await importDataset(published, store, [{ name: 'a', bytes: archive }]);
    expect(await savedDataset(store, published)).toEqual(files);
    const again = await obtainDataset(published, store, { pageUrl: PAGE, fetch: network({}) });
    expect(again).toEqual({ dataset, source: 'storage' });
  });

  it('are read from the page if it has them', async () => {
    const store = new MemoryFileStore();
    const obtained = await obtainDataset(published, store, { pageUrl: PAGE, fetch: page(fileNamed) });
    expect([obtained.source, obtained.dataset.train.count]).toEqual(['page', 12]);
  });

  it.each([
    ['has none', page(() => undefined)],
    ['answers with itself', page(() => '<!doctype html>')],
    ['has others', page((name) => corrupted(fileNamed(name), 70))],
  ])('are said to be nowhere else when the page %s', async (_, fetch) => {
    const work = obtainDataset(published, new MemoryFileStore(), { pageUrl: PAGE, fetch });
    await expect(work).rejects.toMatchObject({ code: 'download' });
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

describe('saved data sets', () => {
  it('count as missing without a manifest, or with an invalid one', async () => {
    for (const text of [
      '',
      '{',
      'null',
      '[]',
      '{"version":2,"files":{}}',
      '{"version":1,"files":{"train-images":{}}}',
    ]) {
      const store = new MemoryFileStore();
      await saveDataset(store, info, packed);
      await store.write('datasets/tiny/manifest.json', new TextEncoder().encode(text));
      expect(await isDatasetSaved(store, info)).toBe(false);
      expect(await savedDataset(store, info)).toBeUndefined();
      expect(await store.list('datasets')).toEqual([]);
    }
  });

  it('can be deleted', async () => {
    const store = new MemoryFileStore();
    await saveDataset(store, info, packed);
    await deleteDataset(store, info);
    expect(await isDatasetSaved(store, info)).toBe(false);
    expect(await store.list('datasets')).toEqual([]);
  });
});
