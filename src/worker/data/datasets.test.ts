import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { MemoryFileStore } from '../../storage/file-store.ts';
import { zipOf } from '../../data/testing.ts';
import type { DatasetState, OwnRequest } from '../api.ts';
import { Datasets } from './datasets.ts';

const PAGE = 'http://localhost/wgrad/';

/** The page's files from public/, as its server sends them; all other requests fail. */
async function server(input: RequestInfo | URL): Promise<Response> {
  const url = String(input);
  if (!url.startsWith(`${PAGE}datasets/digits/`)) return new Response('', { status: 404 });
  requests++;
  return new Response(await readFile(`public/${url.slice(PAGE.length)}`));
}

let reported: [string, DatasetState][] = [];
let requests = 0;
beforeEach(() => {
  reported = [];
  requests = 0;
});

const make = (fetching: typeof fetch = server, store = new MemoryFileStore()) =>
  new Datasets({
    store: Promise.resolve(store),
    pageUrl: PAGE,
    fetch: fetching,
    decode: (bytes) => ({ width: 2, height: 2, data: new Uint8Array(16).fill(bytes[bytes.length - 1]) }),
    onStatus: (name, status) => reported.push([name, status]),
  });

describe('data sets', () => {
  test('the shipped one is read from the page, reported, and gives samples', async () => {
    const data = make();
    expect((await data.statusOf())('digits')).toEqual({ state: 'absent' });
    await data.fetch('digits');
    expect(reported[0]).toMatchObject(['digits', { state: 'downloading', receivedBytes: 0 }]);
    expect(reported.at(-1)).toEqual(['digits', { state: 'ready' }]);
    expect((await data.statusOf())('digits')).toEqual({ state: 'ready' });

    const { images, labels, shape } = await data.samples('digits', 5);
    expect([images.length, labels.length, shape]).toEqual([5 * 784, 5, [1, 28, 28]]);
    // A view of all the images would copy them all to the page.
    expect(images.buffer.byteLength).toBe(5 * 784);
    expect((await data.samples('digits', 1e6)).labels).toHaveLength(10_000);
  });

  test('the shipped one is fetched when it is first needed, another one is not', async () => {
    const data = make();
    expect((await data.samples('digits', 5)).labels).toHaveLength(5);
    await expect(data.samples('mnist', 5)).rejects.toMatchObject({ code: 'not-found' });
  });

  test('two simultaneous requests fetch it once', async () => {
    const data = make();
    await Promise.all([data.fetch('digits'), data.fetch('digits')]);
    expect(requests).toBe(4);
  });

  test('one that is not available fails with the reason, and can be tried again', async () => {
    let reachable = false;
    const data = make((input) => (reachable ? server(input) : Promise.reject(new TypeError('offline'))));
    await expect(data.fetch('digits')).rejects.toMatchObject({ code: 'download' });
    expect(reported.at(-1)).toMatchObject(['digits', { state: 'failed', error: { code: 'download' } }]);
    reachable = true;
    await data.fetch('digits');
    expect(reported.at(-1)).toEqual(['digits', { state: 'ready' }]);
  });

  test('one is all but here once the rest takes three seconds at the rate so far; who asks for it then waits', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    let waits: Promise<unknown> = Promise.resolve();
    // The training images come in twenty parts, one a second, and the last two late.
    const slow: typeof fetch = async (input) => {
      const whole = await server(input);
      if (!String(input).includes('train-images')) return whole;
      const bytes = new Uint8Array(await whole.arrayBuffer());
      const size = Math.ceil(bytes.length / 20);
      let at = 0;
      return new Response(
        new ReadableStream({
          pull: (stream) => {
            vi.advanceTimersByTime(at < 18 * size ? 1000 : 30_000);
            if (at === 10 * size) waits = data.samples('digits', 5);
            stream.enqueue(bytes.subarray(at, (at += size)));
            if (at >= bytes.length) stream.close();
          },
        }),
      );
    };
    const data = make(slow);
    await data.fetch('digits');
    vi.useRealTimers();
    const parts = reported.flatMap(([, status]) => (status.state === 'downloading' ? [status] : []));
    const shares = parts.map(({ receivedBytes, totalBytes }) => receivedBytes / totalBytes);
    const soon = parts.findIndex((part) => part.soon);
    expect(shares[soon]).toBeGreaterThan(0.8);
    expect(shares[soon]).toBeLessThan(0.9);
    expect(parts.map((part) => part.soon ?? false)).toEqual(parts.map((_, i) => i >= soon));
    await expect(waits).resolves.toMatchObject({ shape: [1, 28, 28] });
  });

  test('one that is cancelled is absent', async () => {
    const data = make(() => new Promise(() => undefined));
    const done = data.fetch('mnist');
    await data.statusOf();
    await new Promise((resolve) => setTimeout(resolve, 0));
    data.cancel('mnist');
    await expect(done).rejects.toMatchObject({ code: 'cancelled' });
    expect(reported.at(-1)).toEqual(['mnist', { state: 'absent' }]);
  });

  test('files that are far too long or unreadable are refused', async () => {
    const data = make();
    const long = new File([], 'film.mp4');
    Object.defineProperty(long, 'size', { value: 1e10 });
    await expect(data.import('mnist', [long])).rejects.toMatchObject({ code: 'bad-file' });
    const folder = new File([], 'folder');
    folder.arrayBuffer = () => Promise.reject(new DOMException('a folder', 'NotReadableError'));
    await expect(data.import('mnist', [folder])).rejects.toMatchObject({ code: 'bad-file' });
    await expect(data.import('mnist', [])).rejects.toMatchObject({ code: 'bad-input' });
    expect(reported).toEqual([]);
  });

  test('an unknown name is refused with a list of the known ones', async () => {
    await expect(make().fetch('cats')).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('own pictures', () => {
  /** A PNG's header and a level, which is all that the decoder above reads. */
  const png = (level: number) =>
    Uint8Array.from([
      ...[0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52],
      ...[0, 0, 0, 2, 0, 0, 0, 2, level],
    ]);
  const given = (path: string, bytes: Uint8Array<ArrayBuffer>) => ({ path, file: new File([bytes], path) });
  const request = (...levels: number[]): OwnRequest => ({
    files: ['cats', 'dogs'].flatMap((kind) =>
      levels.map((level) => given(`pets/${kind}/${level}.png`, png(level))),
    ),
    from: 'pets',
    shape: [1, 28, 28],
  });

  test('become a data set that survives a reload, and can be removed', async () => {
    const store = new MemoryFileStore();
    const data = make(server, store);
    expect((await data.infos()).at(-1)).toMatchObject({ name: 'own', classes: [] });
    await expect(data.get('own')).rejects.toMatchObject({ code: 'not-found' });
    const report = await data.takeOwn(request(1, 2, 3, 4, 5));
    expect(report).toEqual({
      counts: ['cats', 'dogs'].map((name) => ({ name, images: 5 })),
      skipped: [],
      more: 0,
    });
    expect(reported[0]).toMatchObject(['own', { state: 'reading', done: 1, total: 10 }]);
    expect(reported.at(-1)).toEqual(['own', { state: 'ready' }]);

    const later = make(server, store);
    expect((await later.statusOf())('own')).toEqual({ state: 'ready' });
    expect((await later.infos()).at(-1)).toMatchObject({
      classes: ['cats', 'dogs'],
      counts: { train: 8, test: 2 },
    });
    expect(await later.get('own')).toEqual(await data.get('own'));
    expect(await make(server, store).get('own'), 'before storage was searched').toEqual(
      await data.get('own'),
    );
    // Ten images of 784 bytes, each with its label.
    expect(await later.storage()).toEqual({ datasets: [{ name: 'own', bytes: 10 * 785 }] });
    await later.remove('own');
    expect(await later.storage()).toEqual({ datasets: [] });
    expect((await make(server, store).statusOf())('own')).toEqual({ state: 'absent' });
    expect(await store.list('datasets')).toEqual([]);
  });

  test('may be in archives, each of which counts as a folder', async () => {
    const zip = (kind: string) =>
      given(`${kind}.zip`, zipOf([1, 2, 3].map((level) => ({ path: `${level}.png`, data: png(level) }))));
    const report = await make().takeOwn({
      ...request(),
      files: [zip('cats'), zip('dogs')],
      from: 'two archives',
    });
    expect(report.counts.map(({ name }) => name)).toEqual(['cats', 'dogs']);
    const bad = { ...request(), files: [given('x.zip', Uint8Array.of(1, 2, 3))] };
    await expect(make().takeOwn(bad)).rejects.toThrow('x.zip is not a zip archive');
  });

  test('replace earlier ones, unless they are refused or the import is cancelled', async () => {
    const data = make();
    await data.takeOwn(request(1, 2));
    const before = await data.get('own');
    await expect(data.takeOwn({ ...request(1), files: [] })).rejects.toMatchObject({ code: 'bad-input' });
    const work = data.takeOwn(request(7, 8, 9));
    data.cancel('own');
    await expect(work).rejects.toMatchObject({ code: 'cancelled' });
    expect(reported.at(-1)).toEqual(['own', { state: 'ready' }]);
    expect(await data.get('own')).toBe(before);
    await data.takeOwn(request(7, 8, 9));
    expect((await data.get('own')).train.count).toBe(4);
  });

  test('open if a kind of augmentation was added since: it is off', async () => {
    const store = new MemoryFileStore();
    await make(server, store).takeOwn(request(1, 2));
    const path = 'datasets/own/info.json';
    const info = JSON.parse(new TextDecoder().decode(await store.read(path)));
    delete info.augmentation.mixup;
    await store.write(path, new TextEncoder().encode(JSON.stringify(info)));
    const later = make(server, store);
    expect((await later.infos()).at(-1)).toMatchObject({
      classes: ['cats', 'dogs'],
      augmentation: { ...info.augmentation, mixup: 0 },
    });
  });

  test('count as missing if their description was altered', async () => {
    const store = new MemoryFileStore();
    await make(server, store).takeOwn(request(1, 2));
    for (const text of ['', '{}', '{"name":"own","classes":[1]}', 'null']) {
      await store.write('datasets/own/info.json', new TextEncoder().encode(text));
      expect((await make(server, store).statusOf())('own')).toEqual({ state: 'absent' });
    }
  });
});
