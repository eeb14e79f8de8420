/** Tries within a fraction of a millisecond: enough for an error scope, or for mapping a buffer that is ready. */
const TRIES_AT_ONCE = 20;

/**
 * While work is pending, Dawn polls for completion by `setImmediate` in a busy loop: that occupies a core which a
 * software GPU would use (on two cores, half of all CPU time). After this call, work that is not done after a few tries
 * is polled once per millisecond. Dawn's callbacks are recognised as native code. Remove this when Dawn polls less
 * often: https://crbug.com/dawn/1127
 */
export function pollGently(): void {
  const immediately = globalThis.setImmediate;
  /** Consecutive tries since the first pending work. */
  let tries = 0;
  let asking = false;
  const schedule = (callback: (...words: unknown[]) => void, ...words: unknown[]): unknown => {
    if (!Function.prototype.toString.call(callback).includes('[native code]')) {
      return immediately(callback, ...words);
    }
    tries = asking ? tries + 1 : 0;
    const ask = () => {
      asking = true;
      try {
        callback(...words);
      } finally {
        asking = false;
      }
    };
    return tries < TRIES_AT_ONCE ? immediately(ask) : setTimeout(ask, 1);
  };
  globalThis.setImmediate = Object.assign(schedule, immediately);
}
