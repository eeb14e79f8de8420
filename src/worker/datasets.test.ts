import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryFileStore } from '../storage/memory.ts';
import type { DatasetState } from './api.ts';
import { Datasets } from './datasets.ts';

const PAGE = 'http://localhost/wgrad/';

/** The page's own files from public/, as its server sends them; everything else is out of reach. */
async function server(input: RequestInfo | URL): Promise<Response> {
  const url = String(input);
  if (!url.startsWith(`${PAGE}datasets/digits/`)) return new Response('', { status: 404 });
  requests++;
  return new Response(await readFile(`public/${url.slice(PAGE.length)}`));
}

let told: [string, DatasetState][] = [];
let requests = 0;
beforeEach(() => {
  told = [];
  requests = 0;
});

const make = (fetching: typeof fetch = server) =>
  new Datasets({
    store: Promise.resolve(new MemoryFileStore()),
    pageUrl: PAGE,
    fetch: fetching,
    onStatus: (name, status) => told.push([name, status]),
  });

describe('data sets', () => {
  test('the shipped one comes from the page, is told of, and gives samples', async () => {
    const data = make();
    expect((await data.statusOf())('digits')).toEqual({ state: 'absent' });
    await expect(data.samples('digits', 5)).rejects.toMatchObject({ code: 'not-found' });
    await data.fetch('digits');
    expect(told[0]).toMatchObject(['digits', { state: 'downloading', receivedBytes: 0 }]);
    expect(told.at(-1)).toEqual(['digits', { state: 'ready' }]);
    expect((await data.statusOf())('digits')).toEqual({ state: 'ready' });

    const { images, labels, shape } = await data.samples('digits', 5);
    expect([images.length, labels.length, shape]).toEqual([5 * 784, 5, [1, 28, 28]]);
    // A view of all the images would carry them all to the page.
    expect(images.buffer.byteLength).toBe(5 * 784);
    expect((await data.samples('digits', 1e6)).labels).toHaveLength(10_000);
  });

  test('asked for twice at once is fetched once', async () => {
    const data = make();
    await Promise.all([data.fetch('digits'), data.fetch('digits')]);
    expect(requests).toBe(4);
  });

  test('one that cannot be had is failed, with the reason, and can be tried again', async () => {
    let reachable = false;
    const data = make((input) => (reachable ? server(input) : Promise.reject(new TypeError('offline'))));
    await expect(data.fetch('digits')).rejects.toMatchObject({ code: 'download' });
    expect(told.at(-1)).toMatchObject(['digits', { state: 'failed', error: { code: 'download' } }]);
    reachable = true;
    await data.fetch('digits');
    expect(told.at(-1)).toEqual(['digits', { state: 'ready' }]);
  });

  test('one that is cancelled is absent', async () => {
    const data = make(() => new Promise(() => undefined));
    const done = data.fetch('mnist');
    await data.statusOf();
    await new Promise((resolve) => setTimeout(resolve, 0));
    data.cancel('mnist');
    await expect(done).rejects.toMatchObject({ code: 'cancelled' });
    expect(told.at(-1)).toEqual(['mnist', { state: 'absent' }]);
  });

  test('files are refused that are far too long, or cannot be read', async () => {
    const data = make();
    const long = new File([], 'film.mp4');
    Object.defineProperty(long, 'size', { value: 1e10 });
    await expect(data.import('mnist', [long])).rejects.toMatchObject({ code: 'bad-file' });
    const folder = new File([], 'folder');
    folder.arrayBuffer = () => Promise.reject(new DOMException('a folder', 'NotReadableError'));
    await expect(data.import('mnist', [folder])).rejects.toMatchObject({ code: 'bad-file' });
    await expect(data.import('mnist', [])).rejects.toMatchObject({ code: 'bad-input' });
    expect(told).toEqual([]);
  });

  test('an unknown name is answered with the known ones', async () => {
    await expect(make().fetch('cats')).rejects.toMatchObject({ code: 'not-found' });
  });
});
