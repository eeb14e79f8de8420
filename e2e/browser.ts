import type { LaunchOptions } from '@playwright/test';
import { findBrowser } from '../scripts/browser.mjs';

/** The browser that the machine has, with flags of its own. Containers have no sandbox. */
export const browser = (...flags: string[]): LaunchOptions => ({
  executablePath: findBrowser(),
  args: ['--no-sandbox', ...flags],
});

/** Lets WebGPU take SwiftShader where there is no GPU. */
export const ANY_GPU = '--enable-unsafe-webgpu';
