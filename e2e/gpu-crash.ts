/** GPU processes that crash. */
import type { Browser } from '@playwright/test';
import { ANY_GPU, browser as withFlags } from './browser.ts';

/** A browser that gives pages a GPU again however often its process crashes; others block them after two crashes. */
export const survivesCrashes = withFlags(
  ANY_GPU,
  '--disable-gpu-process-crash-limit',
  '--disable-domain-blocking-for-3d-apis',
);

/** What the page says of a lost device. */
export const LOST = 'GPU connection lost. Reconnecting…';

export async function crashGpu(browser: Browser): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  // Its answer may be lost with the process.
  void session.send('Browser.crashGpuProcess').catch(() => undefined);
}
