/**
 * What a page takes of the processor. Tests judge this, and counts, instead of a clock, which would measure the machine and what else
 * computes there. How long a person waits is measured by `npm run bench:page`.
 */
import type { Page } from '@playwright/test';
import { framesDuring } from '../scripts/frames.mjs';

/** What the loop of `slowness` takes on two cores of an AMD EPYC. */
const USUAL_MS = 30;
const LOOPS = 3;

/** Milliseconds of processor time. */
interface Taken {
  /** Of the main thread in each sixtieth of a second, sorted. */
  frames: Float64Array;
  /** Of the main thread's longest task, for which an input would wait. */
  longest: number;
  /** Of its tasks, as far as each is longer than 50 (https://web.dev/articles/tbt). */
  blocking: number;
  /** Of the page's process, in which its workers are. */
  process: number;
}

/** The processor time that the page takes until `work` is done. It stays at its origin. */
export async function takenFor(page: Page, work: () => Promise<unknown>): Promise<Taken> {
  const taken = await meter(page);
  const main = await framesDuring(page, work);
  return { ...main, process: (await taken()).process };
}

/** Reads what the main thread and the process have taken from now on. */
export async function meter(page: Page): Promise<() => Promise<{ thread: number; process: number }>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const soFar = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const ms = (name: string) => 1e3 * metrics.find((metric) => metric.name === name)!.value;
    return { thread: ms('ThreadTime'), process: ms('ProcessTime') };
  };
  const before = await soFar();
  return async () => {
    const { thread, process } = await soFar();
    return { thread: thread - before.thread, process: process - before.process };
  };
}

/**
 * How many times as long as usual the processor takes now for the same work: at least 1. Limits of processor time are multiplied by
 * it, because a slow machine, or one whose cores share caches with other programs, takes more of it too.
 */
export async function slowness(page: Page): Promise<number> {
  const taken = await meter(page);
  for (let loop = 0; loop < LOOPS; loop++)
    await page.evaluate(() => {
      const texts = new Map<number, string>();
      for (let i = 0, random = 1; i < 3e5; i++) {
        random = (random * 1103515245 + 12345) & 0x7fffffff;
        texts.set(random % 1000, String(random));
      }
    });
  const slow = (await taken()).thread / LOOPS / USUAL_MS;
  return Math.max(1, slow);
}
