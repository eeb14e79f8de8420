/** Reads what a URL serves. Independent of the page: `fetch` is a parameter. */
import { Failure } from '../base/result.ts';

export interface FetchOptions {
  fetch: typeof fetch;
  /** Cancels with a `cancelled` failure. */
  signal?: AbortSignal;
  /** Milliseconds without data after which a server is given up. Default 20,000. */
  stallMs?: number;
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
