/** How much a worker had to fetch. */

/** Gzipped bytes of all files that this worker fetched, its own script included; undefined if nothing is known of them. */
export async function fetchedBytes(): Promise<number | undefined> {
  if (typeof location === 'undefined') return undefined;
  const found = performance.getEntriesByType('resource').map(({ name }) => name);
  const urls = new Set([location.href, ...found].filter((url) => url.startsWith('http')));
  if (urls.size === 1) return undefined;
  let sum = 0;
  for (const url of urls) sum += await gzippedBytes(await fetch(url));
  return sum;
}

async function gzippedBytes({ body }: Response): Promise<number> {
  if (!body) return 0;
  let sum = 0;
  const count = new WritableStream<Uint8Array>({ write: (chunk) => void (sum += chunk.length) });
  await body.pipeThrough(new CompressionStream('gzip')).pipeTo(count);
  return sum;
}
