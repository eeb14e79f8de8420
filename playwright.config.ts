import { defineConfig } from '@playwright/test';
import { ANY_GPU, browser, CAMERA, freePort } from './e2e/browser.ts';
import { JOURNEYS, QUICK_JOURNEYS, TIER } from './scripts/test-plan.mjs';
import type { PageOptions } from './e2e/fixtures.ts';

/** The tests of the page run on what `vite build` made, served on a free port. */
const PORT_VARIABLE = 'WGRAD_E2E_PORT';

// Every worker reads this file again, and inherits the port from the first reading.
process.env[PORT_VARIABLE] ??= String(await freePort());
const port = process.env[PORT_VARIABLE];
const baseURL = `http://localhost:${port}/`;

export default defineConfig<PageOptions>({
  testDir: 'e2e',
  // Beside the other tests, a third one at a time made all of them take a tenth more CPU time on two cores.
  workers: 2,
  fullyParallel: true,
  ...(TIER === 'quick' ? { grep: new RegExp(Object.values(QUICK_JOURNEYS).join('|')) } : {}),
  // What hangs ends, in the end: limits that no machine reaches by being slow, or busy.
  timeout: 1_800_000,
  expect: { timeout: 300_000 },
  forbidOnly: process.env['CI'] !== undefined,
  // Shared machines starve a software GPU now and then. What passes only when tried again is named at the end.
  retries: process.env['CI'] === undefined ? 0 : 1,
  reporter: 'list',
  projects: Object.entries(JOURNEYS).map(([name, files]) => ({
    name,
    ...files,
    // Motion is for `moving`, and for other browsers.
    ...(name === 'together'
      ? { use: { contextOptions: { reducedMotion: 'reduce' as const }, frames: 10 } }
      : {}),
  })),
  webServer: {
    command: `node node_modules/vite/bin/vite.js preview --port ${port} --strictPort`,
    url: baseURL,
    reuseExistingServer: false,
    timeout: 180_000,
  },
  use: {
    baseURL,
    browserName: 'chromium',
    // What waits in vain fails at its own line, not at the end of the test's time.
    actionTimeout: 300_000,
    navigationTimeout: 300_000,
    viewport: { width: 1280, height: 800 },
    // A trace of every step would take the processor from a software GPU.
    screenshot: 'only-on-failure',
    // One kind of browser for as many journeys as possible: for another kind, each worker starts again.
    launchOptions: browser(ANY_GPU, ...CAMERA),
    // What tests hold back or change on its way must come by the network; offline.spec.ts has them.
    serviceWorkers: 'block',
  },
});
