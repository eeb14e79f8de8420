import { useApp } from './state/store.ts';
import type { RunState } from '../worker/api.ts';

const WORKING: readonly RunState[] = ['preparing', 'training', 'recovering'];

/**
 * Keeps the screen on while a run trains, if the person has chosen that. The browser turns it off with the page out of
 * sight, so it is asked again when the page is back.
 * @returns ends it
 */
export function startWakeLock(): () => void {
  let held: WakeLockSentinel | undefined;
  let updating = false;
  let ended = false;
  const isWanted = () => {
    const { keepScreenOn, runState } = useApp.getState();
    return !ended && keepScreenOn && WORKING.includes(runState) && document.visibilityState === 'visible';
  };
  const update = async () => {
    if (updating) return;
    updating = true;
    try {
      // Until the browser has answered, something else can be wanted.
      while (isWanted() !== (held !== undefined)) {
        if (held) {
          await held.release();
          held = undefined;
        } else {
          const lock = await navigator.wakeLock.request('screen');
          held = lock;
          lock.addEventListener('release', () => {
            if (held === lock) held = undefined;
          });
        }
      }
    } catch {
      // Refused, as with a low battery. Training continues, and the next change of state requests it again.
    } finally {
      updating = false;
    }
  };
  const onChange = () => void update();
  const unsubscribe = useApp.subscribe((state, before) => {
    if (state.runState !== before.runState || state.keepScreenOn !== before.keepScreenOn) onChange();
  });
  document.addEventListener('visibilitychange', onChange);
  onChange();
  return () => {
    ended = true;
    unsubscribe();
    document.removeEventListener('visibilitychange', onChange);
    onChange();
  };
}
