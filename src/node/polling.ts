/** A fraction of a millisecond: enough for an error scope, or for mapping what is there. */
const TRIES_AT_ONCE = 20;

/**
 * While anything is under way, Dawn asks whether it is done by `setImmediate`, over and over: that keeps one core busy,
 * which a software GPU would compute and compile on (on two cores, half of all processor time). From here on, what is not
 * done after a few tries is asked for once a millisecond. Dawn's callbacks are known by being native code.
 * Can go when Dawn asks less often: https://crbug.com/dawn/1127
 */
export function pollGently(): void {
  const immediately = globalThis.setImmediate;
  /** Tries in a row, since something began when nothing else was under way. */
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
