import { createServer, type AddressInfo } from 'node:net';
import type { LaunchOptions } from '@playwright/test';
import { findBrowser, headlessShell } from '../scripts/browser.mjs';

/** The installed browser, with its own flags; without windows, where there is such a one. */
export const browser = (...flags: string[]): LaunchOptions => ({ ...headlessShell(), ...withFlags(flags) });

/** The one that has windows, whose tabs can hide one another. */
export const windowedBrowser = (...flags: string[]): LaunchOptions => ({
  executablePath: findBrowser(),
  ...withFlags(flags),
});

/** See SLOW_ON_SWIFTSHADER in src/node/gpu.ts: a third of the time. */
const SWIFTSHADER_COMPILES_FAST =
  '--disable-dawn-features=use_vulkan_zero_initialize_workgroup_memory_extension';

/** Containers have no sandbox. */
const withFlags = (flags: string[]) => ({ args: ['--no-sandbox', SWIFTSHADER_COMPILES_FAST, ...flags] });

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
