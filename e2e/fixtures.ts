import { expect, test as base, type Page } from '@playwright/test';

export { expect };

export interface Complaints {
  /** Lets errors pass whose text matches: for tests of what goes wrong. */
  allow(pattern: RegExp): void;
}

/** Playwright's `test`, failing also where the page throws or writes an error to the console. */
export const test = base.extend<{ complaints: Complaints }>({
  complaints: [
    async ({ page }, use) => {
      const found: string[] = [];
      const allowed: RegExp[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') found.push(`${message.text()} (${message.location().url})`);
      });
      page.on('pageerror', (error) => found.push(error.stack ?? error.message));
      page.on('crash', () => found.push('the page crashed'));
      await use({ allow: (pattern) => allowed.push(pattern) });
      const left = found.filter((text) => !allowed.some((pattern) => pattern.test(text)));
      expect(left, 'errors of the page').toEqual([]);
    },
    { auto: true },
  ],
});

/** What the browser says of its WebGPU adapter. Fails if it has none: then no test of training says anything. */
export async function expectAdapter(page: Page): Promise<{ vendor: string; architecture: string }> {
  const found = await page.evaluate(async () => {
    const adapter = await navigator.gpu?.requestAdapter();
    return adapter ? { vendor: adapter.info.vendor, architecture: adapter.info.architecture } : undefined;
  });
  expect(found, 'a WebGPU adapter').toBeDefined();
  return found!;
}
