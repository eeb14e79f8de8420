import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pollGently } from './polling.ts';

const { setImmediate: original } = globalThis;
beforeEach(pollGently);
afterEach(() => {
  globalThis.setImmediate = original;
  vi.restoreAllMocks();
});

/**
 * Reschedules itself until `ms` are over, as Dawn does; a bound function is native code too. Returns the number of
 * tries.
 */
function poll(ms: number, native: boolean): Promise<number> {
  return new Promise((resolve) => {
    const end = performance.now() + ms;
    let tries = 0;
    const plain = () => {
      tries++;
      if (performance.now() > end) resolve(tries);
      else setImmediate(native ? plain.bind(undefined) : plain);
    };
    setImmediate(native ? plain.bind(undefined) : plain);
  });
}

test('native code that waits long is called once per millisecond, other code immediately', async () => {
  expect(await poll(100, false)).toBeGreaterThan(200);
  const waits = vi.spyOn(globalThis, 'setTimeout');
  const tries = await poll(100, true);
  expect(tries).toBeGreaterThan(20);
  // Node may round a timer's millisecond down.
  expect(tries).toBeLessThan(250);
  expect(waits).toHaveBeenCalledTimes(tries - 20);
});

test('each wait starts with immediate tries, and arguments are passed on', async () => {
  const waits = vi.spyOn(globalThis, 'setTimeout');
  for (let wait = 0; wait < 200; wait++) {
    await new Promise<void>((resolve) => setImmediate(resolve.bind(undefined)));
  }
  expect(waits).not.toHaveBeenCalled();
  expect(await new Promise((resolve) => setImmediate(resolve.bind(undefined), 'word'))).toBe('word');
});
