import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pollGently } from './polling.ts';

const { setImmediate: original } = globalThis;
beforeEach(pollGently);
afterEach(() => {
  globalThis.setImmediate = original;
  vi.restoreAllMocks();
});

/** Reschedules itself so many times, as Dawn does; a bound function is native code too. */
function poll(tries: number, native: boolean): Promise<void> {
  return new Promise((resolve) => {
    const plain = () => {
      if (--tries === 0) resolve();
      else setImmediate(native ? plain.bind(undefined) : plain);
    };
    setImmediate(native ? plain.bind(undefined) : plain);
  });
}

test('native code that waits long is called once per millisecond, other code immediately', async () => {
  const waits = vi.spyOn(globalThis, 'setTimeout');
  await poll(200, false);
  expect(waits).not.toHaveBeenCalled();
  await poll(100, true);
  expect(waits).toHaveBeenCalledTimes(100 - 20);
  for (const [, ms] of waits.mock.calls) expect(ms).toBe(1);
});

test('each wait starts with immediate tries, and arguments are passed on', async () => {
  const waits = vi.spyOn(globalThis, 'setTimeout');
  for (let wait = 0; wait < 200; wait++) {
    await new Promise<void>((resolve) => setImmediate(resolve.bind(undefined)));
  }
  expect(waits).not.toHaveBeenCalled();
  expect(await new Promise((resolve) => setImmediate(resolve.bind(undefined), 'word'))).toBe('word');
});
