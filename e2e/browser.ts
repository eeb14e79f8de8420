import { createServer, type AddressInfo } from 'node:net';
import type { LaunchOptions } from '@playwright/test';
import { findBrowser } from '../scripts/browser.mjs';

/** The installed browser, with its own flags. Containers have no sandbox. */
export const browser = (...flags: string[]): LaunchOptions => ({
  executablePath: findBrowser(),
  args: ['--no-sandbox', ...flags],
});

/** Lets WebGPU use SwiftShader if there is no GPU. */
export const ANY_GPU = '--enable-unsafe-webgpu';

/** A free port. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, () => {
      const { port: free } = server.address() as AddressInfo;
      server.close(() => {
        resolve(free);
      });
    });
  });
}
