import { useApp } from './state/store.ts';

/** Browsers have the Screen Wake Lock API (https://www.w3.org/TR/screen-wake-lock/) on secure pages only. */
export const canKeepScreenOn = (): boolean => 'wakeLock' in navigator;

/** Keeps the screen on while a run trains, from when the person first wants that: only then its code is loaded. */
export async function watchKeepScreenOn(): Promise<void> {
  if (!canKeepScreenOn()) return;
  if (!useApp.getState().keepScreenOn) {
    await new Promise<void>((wanted) => {
      const end = useApp.subscribe(({ keepScreenOn }) => {
        if (!keepScreenOn) return;
        end();
        wanted();
      });
    });
  }
  const { startWakeLock } = await import('./wake-lock.ts');
  startWakeLock();
}
