import { expect, test as base, type Page } from '@playwright/test';

export { expect };

export interface Complaints {
  /** Allows errors whose text matches, for tests of failures. */
  allow(pattern: RegExp): void;
}

export interface PageOptions {
  /** The engine that the person chose. Without a choice the CPU computes, because the GPU of these browsers is SwiftShader. */
  engine: 'gpu' | 'cpu' | undefined;
  /** Steps per second, as chosen on an earlier visit. */
  pace: number | 'full';
  /** Whether runs have no end unless a test sets one, as if the person had chosen so on an earlier visit. */
  endless: boolean;
  /** Frames per second in which the page draws its charts. Without a choice as many as the browser has. */
  frames: number | undefined;
}

/** Lets the page open as if the person had chosen this engine on an earlier visit. */
export const chooseEngine = (page: Page, engine: 'gpu' | 'cpu'): Promise<unknown> =>
  page.addInitScript((chosen) => {
    // about:blank has no storage.
    if (location.protocol.startsWith('http')) localStorage['wgrad.engine'] ??= chosen;
  }, engine);

/** Puts code before the worker's own. */
export const beforeWorker = (page: Page, code: string): Promise<unknown> =>
  page.route(/\/assets\/main-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: code + (await response.text()) });
  });

/** Lets a page, or all pages of a context, train at a pace, as if the person had chosen it on an earlier visit. */
export const atPace = (pages: Pick<Page, 'addInitScript'>, pace: number | 'full'): Promise<unknown> =>
  pages.addInitScript((chosen) => {
    if (location.protocol.startsWith('http')) localStorage['wgrad.pace'] ??= chosen;
  }, String(pace));

/** Lets the runs of a page have no end, as if the person had chosen so on an earlier visit. */
export const withoutEnd = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    if (location.protocol.startsWith('http')) localStorage['wgrad.settings'] ??= '{"epochs":""}';
  });

/** Lets a page draw fewer frames than the browser shows: charts of a run take as much of a processor as the run. */
export const atFrames = (page: Page, frames: number): Promise<unknown> =>
  page.addInitScript((wait) => {
    const draw = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (callback) => window.setTimeout(() => draw(callback), wait);
    window.cancelAnimationFrame = (waiting) => clearTimeout(waiting);
  }, 1000 / frames);

/** Playwright's `test`, which also fails if the page throws or logs an error to the console. */
export const test = base.extend<{ complaints: Complaints } & PageOptions>({
  engine: [undefined, { option: true }],
  pace: ['full', { option: true }],
  frames: [undefined, { option: true }],
  endless: [true, { option: true }],
  page: async ({ page, engine, pace, frames, endless }, provide) => {
    if (engine) await chooseEngine(page, engine);
    if (endless) await withoutEnd(page);
    if (frames) await atFrames(page, frames);
    await atPace(page.context(), pace);
    await provide(page);
  },
  complaints: [
    async ({ page }, use) => {
      const found: string[] = [];
      // A browser with a window asks for the icon of a document that names none, such as a script.
      const allowed: RegExp[] = [/\/favicon\.ico\)$/];
      page.on('console', (message) => {
        if (message.type() === 'error') found.push(`${message.text()} (${message.location().url})`);
      });
      page.on('pageerror', (error) => found.push(error.stack ?? error.message));
      page.on('crash', () => found.push('the page crashed'));
      await page.addInitScript(() =>
        document.addEventListener(
          'securitypolicyviolation',
          ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
            console.error(
              `policy: ${violatedDirective} refuses ${blockedURI} at ${sourceFile}:${lineNumber}`,
            ),
        ),
      );
      await use({ allow: (pattern) => allowed.push(pattern) });
      const left = found.filter((text) => !allowed.some((pattern) => pattern.test(text)));
      expect(left, 'errors of the page').toEqual([]);
    },
    { auto: true },
  ],
});

/** The browser's WebGPU adapter. Fails if it has none, because tests of training would be meaningless. */
export async function expectAdapter(page: Page): Promise<{ vendor: string; architecture: string }> {
  const found = await page.evaluate(async () => {
    const adapter = await navigator.gpu?.requestAdapter();
    return adapter ? { vendor: adapter.info.vendor, architecture: adapter.info.architecture } : undefined;
  });
  expect(found, 'a WebGPU adapter').toBeDefined();
  return found!;
}
