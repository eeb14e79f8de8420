/** Serves a built page as a slow network brings it, compressed as by a host, and lists what it sent. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { HEADERS } from './vite/headers.ts';

export interface Network {
  /** From a request to the first byte of its answer. */
  latencyMs: number;
  /** Of all answers together. */
  bytesPerSecond: number;
}

/** "Fast 3G" of Chrome's developer tools. */
export const FAST_3G: Network = { latencyMs: 562, bytesPerSecond: 180_000 };

/** An answer with a body. */
export interface Sent {
  /** Below the page's folder; empty for the page itself. */
  path: string;
  bytes: number;
}

export interface SlowServer {
  address: string;
  /** In the order of the requests. */
  sent: readonly Sent[];
  close(): void;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
};
const COMPRESSED = /\.(html|js|css|svg|json|webmanifest|wasm)$/;
const PART = 4096;

/** @param folder of the build @param network none: as fast as it can */
export async function slowServer(folder: string, network?: Network): Promise<SlowServer> {
  const sent: Sent[] = [];
  // Parts of all answers take their turns on one line.
  let line = Promise.resolve();
  const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
  let free = 0;
  const pass = (bytes: number): Promise<void> => {
    if (!network) return line;
    const ms = (1000 * bytes) / network.bytesPerSecond;
    line = line.then(() => {
      free = Math.max(free, performance.now()) + ms;
      return wait(free - performance.now());
    });
    return line;
  };
  const server = createServer((request, response) => {
    void (async () => {
      const path = new URL(request.url ?? '/', 'http://localhost').pathname.slice(1);
      const file = path === '' ? 'index.html' : path;
      const plain = await readFile(join(folder, decodeURIComponent(file))).catch(() => undefined);
      if (network) await wait(network.latencyMs);
      if (!plain) {
        response.writeHead(404).end();
        return;
      }
      const etag = `"${createHash('sha256').update(plain).digest('hex').slice(0, 16)}"`;
      if (request.headers['if-none-match'] === etag) {
        response.writeHead(304, { etag }).end();
        return;
      }
      const body = COMPRESSED.test(file) ? gzipSync(plain) : plain;
      sent.push({ path, bytes: body.length });
      response.writeHead(200, {
        ...HEADERS,
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        ...(body === plain ? {} : { 'content-encoding': 'gzip' }),
        'cache-control': 'no-cache',
        etag,
      });
      for (let at = 0; at < body.length; at += PART) {
        const part = body.subarray(at, at + PART);
        await pass(part.length);
        response.write(part);
      }
      response.end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://localhost:${port}/`,
    sent,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
