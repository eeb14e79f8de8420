import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StaticServer {
  address: string;
  /** Switches to another build: another version of the service worker. */
  deploy(): void;
  close(): void;
}

/** Serves the page like a host that sends no headers of its own. @param base where the page is served now */
export async function staticServer(base: string): Promise<StaticServer> {
  let next = false;
  const server = createServer((request, response) => {
    void (async () => {
      // A connection for each: the other server ends those that are idle for five seconds, at times as one is used again.
      const found = await fetch(new URL(`.${request.url}`, base), { headers: { connection: 'close' } });
      const bytes = new Uint8Array(await found.arrayBuffer());
      const renamed = () =>
        new TextDecoder().decode(bytes).replace(/`\$\{PREFIX\}[0-9a-f]+`/, '`${PREFIX}next`');
      const type = found.headers.get('content-type') ?? '';
      response.writeHead(found.status, { 'content-type': type, 'cache-control': 'no-cache' });
      response.end(next && request.url === '/sw.js' ? renamed() : bytes);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://localhost:${port}/`,
    deploy: () => (next = true),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
