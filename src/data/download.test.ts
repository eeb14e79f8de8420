import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Failure } from '../base/result.ts';
import type { FileRole } from './dataset.ts';
import { downloadDataset } from './download.ts';
import { fetchBytes } from './fetch-bytes.ts';
import { corrupted, TINY_MIRRORS, tinyBatches, tinyDataset } from './testing.ts';

const { info, packed } = tinyDataset();
const [ONE, TWO] = TINY_MIRRORS;

type Answer = (url: string, signal: AbortSignal | null | undefined) => Response | Promise<Response>;

/** A network with a response for each host; counts the calls. */
const network = (one: Answer, two: Answer = one) =>
  vi.fn<typeof fetch>((url, init) =>
    Promise.resolve().then(() => (String(url).startsWith(ONE) ? one : two)(String(url), init?.signal)),
  );
const bytesAt = (url: string) => packed.get(/([^/]*)\.gz$/.exec(url)?.[1] as FileRole) ?? new Uint8Array();
const good: Answer = (url) => new Response(Uint8Array.from(bytesAt(url)));
const failure = async (work: Promise<unknown>): Promise<Failure> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Failure);
  return error as Failure;
};

describe('downloadDataset', () => {
  it('fetches every file from the first mirror and reports the bytes', async () => {
    const fetch = network(good);
    const progress: number[] = [];
    const total = info.files.reduce((sum, file) => sum + file.bytes, 0);
    const files = await downloadDataset(info, {
      fetch,
      onProgress: (received, of) => {
        expect(of).toBe(total);
        progress.push(received);
      },
    });
    expect(files).toEqual(packed);
    expect(fetch.mock.calls.map(([url]) => url)).toEqual(info.files.map(({ name }) => ONE + name));
    expect(progress[0]).toBe(0);
    expect(progress.at(-1)).toBe(total);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
  });

  it.each<[string, Answer]>([
    ['is missing', () => new Response('gone', { status: 404 })],
    ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['sends a web page', () => new Response('<!doctype html>')],
    ['sends damaged bytes', (url) => new Response(Uint8Array.from(corrupted(bytesAt(url), 20)))],
    ['sends too much', () => new Response(new Uint8Array(1_000_000))],
    ['breaks off', (url) => new Response(bytesAt(url).slice(0, 10))],
    ['stalls before the answer', () => new Promise<Response>(() => undefined)],
    [
      'stalls within the answer',
      () => new Response(new ReadableStream({ pull: () => new Promise(() => undefined) })),
    ],
  ])('goes to the next mirror when the first one %s, and stays there', async (_, bad) => {
    const fetch = network(bad, good);
    expect(await downloadDataset(info, { fetch, stallMs: 1000 })).toEqual(packed);
    const calls = fetch.mock.calls.map(([url]) => String(url));
    expect(calls.filter((url) => url.startsWith(ONE)).length).toBe(1);
    expect(calls.filter((url) => url.startsWith(TWO)).length).toBe(4);
  });

  it('reports what each mirror did, and what to do, when all fail', async () => {
    const fetch = network(
      () => new Response('', { status: 503, statusText: 'Busy' }),
      () => Promise.reject(new TypeError('x')),
    );
    const error = await failure(downloadDataset(info, { fetch }));
    expect(error.code).toBe('download');
    expect(error.message).toContain('https://one.example/tiny/train-images.gz: the server returned 503 Busy');
    expect(error.message).toContain(
      'https://two.example/tiny/train-images.gz: the server could not be reached',
    );
    expect(error.advice).toContain('drop them here');
    expect(error.advice).toContain('wgrad -- datasets tiny');
  });

  it('reports where to get files that no page may fetch, without any request', async () => {
    const fetch = network(good);
    const error = await failure(downloadDataset(tinyBatches().info, { fetch }));
    expect(error.code).toBe('download');
    expect(error.advice).toBe('Get tiny.tar.gz from https://tiny.example/ and drop it here.');
    expect(fetch).not.toHaveBeenCalled();
  });

  it('reports a checksum mismatch for other bytes', async () => {
    const error = await failure(
      downloadDataset(info, {
        fetch: network((url) => new Response(Uint8Array.from(corrupted(bytesAt(url), 20)))),
      }),
    );
    expect(error.code).toBe('checksum');
    expect(error.message).toContain(info.files[0].sha256);
  });

  it.each(['before', 'during'])('stops when cancelled %s', async (when) => {
    const controller = new AbortController();
    if (when === 'before') controller.abort();
    let fetchSignal: AbortSignal | null | undefined;
    const fetch = network((_, signal) => {
      fetchSignal = signal;
      setTimeout(() => controller.abort(), 5);
      return new Promise<Response>(() => undefined);
    });
    const error = await failure(downloadDataset(info, { fetch, signal: controller.signal }));
    expect(error.code).toBe('cancelled');
    expect(fetch.mock.calls.length).toBe(1);
    expect(fetchSignal?.aborted ?? true).toBe(true);
  });
});

describe('fetchBytes', () => {
  it('does not give up a slow server that keeps sending', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 60));
        if (sent++ < 6) controller.enqueue(Uint8Array.of(sent));
        else controller.close();
      },
    });
    const fetched = fetchBytes('https://slow.example/', 6, {
      fetch: () => Promise.resolve(new Response(body)),
      stallMs: 250,
    });
    await vi.advanceTimersByTimeAsync(1000);
    expect([...(await fetched)]).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
