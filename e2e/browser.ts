import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
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

/** Most pages are closed before optimised code has earned what its compilation costs. Ten times V8's thresholds. */
const OPTIMISES_LATE = '--js-flags=--invocation-count-for-maglev=4000 --invocation-count-for-turbofan=30000';

/** Containers have no sandbox. */
const withFlags = (flags: string[]) => ({
  args: ['--no-sandbox', SWIFTSHADER_COMPILES_FAST, OPTIMISES_LATE, ...flags],
});

/** Lets WebGPU use SwiftShader if there is no GPU. */
export const ANY_GPU = '--enable-unsafe-webgpu';

/** A camera that films a test picture, and a user who grants the page access. */
export const CAMERA = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

/** A free port below those that systems give to connections, one of which could take it before its server listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
