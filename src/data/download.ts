/** Fetches published files. Independent of the page: `fetch` is a parameter. */
import { Failure } from '../base/result.ts';
import type { DatasetFile, DatasetInfo, FileRole } from './dataset.ts';
import { publishedBytes, verifyFile } from './files.ts';

export interface FetchOptions {
  fetch: typeof fetch;
  /** Cancels with a `cancelled` failure. */
  signal?: AbortSignal;
  /** Milliseconds without data after which a server is given up. Default 20,000. */
  stallMs?: number;
}

export interface DownloadOptions extends FetchOptions {
  onProgress?: (receivedBytes: number, totalBytes: number) => void;
}

/**
 * Downloads all files of a data set, each from the first mirror that has it intact.
 * @throws Failure `cancelled`; `checksum` if no mirror sent the published bytes and one sent others; `download` if none
 *   could be reached
 */
export async function downloadDataset(
  info: DatasetInfo,
  options: DownloadOptions,
): Promise<Map<FileRole, Uint8Array>> {
  if (info.source !== undefined && info.mirrors.length === 0) {
    throw new Failure(
      'download',
      `${info.title} cannot be downloaded from the browser (blocked by CORS)`,
      `Get ${info.archive?.name ?? 'it'} from ${info.source} and drop it here.`,
    );
  }
  const total = publishedBytes(info);
  const mirrors = [...info.mirrors];
  const files = new Map<FileRole, Uint8Array>();
  let received = 0;
  const report = (bytes: number) => options.onProgress?.(received + bytes, total);
  report(0);
  for (const file of info.files) {
    files.set(file.role, await downloadFile(info, file, mirrors, options, report));
    received += file.bytes;
  }
  return files;
}

/**
 * Tries the mirrors in turn; one that fails moves to the end of `mirrors`, so that the next file starts with a working
 * one.
 */
async function downloadFile(
  info: DatasetInfo,
  file: DatasetFile,
  mirrors: string[],
  options: FetchOptions,
  onBytes: (receivedBytes: number) => void,
): Promise<Uint8Array> {
  const failures: Failure[] = [];
  for (let attempts = mirrors.length; attempts > 0; attempts--) {
    const url = mirrors[0] + file.name;
    try {
      const bytes = await fetchBytes(url, file.bytes, options, onBytes);
      await verifyFile(info, file, url, bytes);
      return bytes;
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'cancelled') throw error;
      failures.push(error);
      onBytes(0);
      mirrors.push(...mirrors.splice(0, 1));
    }
  }
  throw new Failure(
    failures.some(({ code }) => code !== 'download') ? 'checksum' : 'download',
    `${info.title}: ${file.name} could not be downloaded. ${failures.map(({ message }) => message).join('; ')}`,
    `Try again later, or get ${info.files.map(({ name }) => name).join(', ')} elsewhere and drop them here, ` +
      `or run "npm run -s wgrad -- datasets ${info.name}".`,
  );
}

/**
 * The body of the response from a URL.
 * @param maxBytes a longer response is dropped
 * @throws Failure `cancelled` or `download`
 */
export async function fetchBytes(
  url: string,
  maxBytes: number,
  { fetch, signal, stallMs = 20_000 }: FetchOptions,
  onBytes?: (receivedBytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const bad = (message: string, cause?: unknown) =>
    new Failure('download', `${url}: ${message}`, undefined, { cause });
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stalled = () => ending.abort(bad(`no data received for ${stallMs / 1000} seconds`));
  const cancelled = () => ending.abort(new Failure('cancelled', 'the download was cancelled'));
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(stalled, stallMs);
  };
  const aborted = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason as Failure), { once: true });
  });
  aborted.catch(() => undefined);
  /** Waits for the network until the signal aborts, even if the network ignores the signal. */
  const wait = <T>(work: Promise<T>): Promise<T> =>
    Promise.race([
      aborted,
      work.catch((cause: unknown) => {
        // fetch gives no other reason, whether the network is down or the host refuses cross-origin requests.
        throw bad('the server could not be reached', cause);
      }),
    ]);
  signal?.addEventListener('abort', cancelled, { once: true });
  if (signal?.aborted) cancelled();

  try {
    alive();
    const response = await wait(fetch(url, { signal: ending.signal }));
    if (!response.ok) throw bad(`the server returned ${response.status} ${response.statusText}`.trimEnd());
    if (response.body === null) throw bad('the server sent an empty response');

    const reader = response.body.getReader();
    const parts: Uint8Array[] = [];
    let received = 0;
    for (;;) {
      const { done, value } = await wait(reader.read());
      if (done) break;
      alive();
      received += value.length;
      if (received > maxBytes) throw bad(`the file is larger than the expected ${maxBytes} bytes`);
      parts.push(value);
      onBytes?.(received);
    }
    const bytes = new Uint8Array(received);
    let offset = 0;
    for (const part of parts) {
      bytes.set(part, offset);
      offset += part.length;
    }
    return bytes;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancelled);
    ending.abort(bad('not needed any more'));
  }
}
