import { expect } from 'vitest';

/** What the loop of `slowness` takes on two cores of an AMD EPYC, in milliseconds. */
const USUAL_MS = 45;

/**
 * What this process has computed so far, in milliseconds. Limits of tests are about this time: unlike a clock, it stands
 * still while other programs compute.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Fails if what was computed since `start` took longer than `limit` milliseconds of a usual processor. One that is slower, or
 * shares its caches with other programs, is measured beside it.
 * @param start by `processorTime`
 * @returns the milliseconds that it took here
 */
export function expectWithin(limit: number, start: number, what = 'ms of processor time'): number {
  const taken = processorTime() - start;
  if (taken >= limit) expect(taken, what).toBeLessThan(limit * slowness());
  return taken;
}

/** How many times as long as usual the processor takes for the same work: at least 1. */
function slowness(): number {
  const start = processorTime();
  const texts = new Map<number, string>();
  for (let i = 0, random = 1; i < 1e6; i++) {
    random = (random * 1103515245 + 12345) & 0x7fffffff;
    texts.set(random % 1000, String(random));
  }
  return Math.max(1, (processorTime() - start) / USUAL_MS);
}
