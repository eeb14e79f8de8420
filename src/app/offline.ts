/** The page without a network: its service worker, and the offer to reload when a newer build is ready. */
import { onEvent } from './events.ts';
import { useApp } from './state/store.ts';

/** How often a page that stays open looks for a newer build. */
const ASK_EVERY_MS = 60 * 60 * 1000;

/** How long a page that could train has trained nothing, until it fetches what it needs without a network. */
const QUIET_MS = 20_000;

let waiting: ServiceWorker | undefined;

/**
 * Registers the service worker after the first step, or when nothing was trained for a while: it fetches the whole page,
 * which must not compete with what a first run waits for.
 *
 * @param ready resolves when a run can start
 */
export async function startOfflineLater(ready: Promise<unknown>): Promise<void> {
  const quiet = ready.then(() => new Promise((done) => setTimeout(done, QUIET_MS)));
  const stepped = new Promise<void>((done) => onEvent('steps', () => done()));
  await Promise.race([quiet, stepped]);
  await startOffline();
}

/**
 * Registers the service worker of a page built to be published. One that `npm start` built has none, and neither do some
 * browsers and pages: they need the network.
 */
async function startOffline(): Promise<void> {
  if (import.meta.env.MODE !== 'production' || !('serviceWorker' in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register('./sw.js');
    const look = () => {
      // Without a controller this page is of the newest build itself. WebKit has one before it says that the first service
      // worker no longer waits, but no other that is active.
      if (!registration.waiting || !registration.active || !navigator.serviceWorker.controller) return;
      waiting = registration.waiting;
      useApp.setState({ update: true });
    };
    look();
    registration.addEventListener('updatefound', () =>
      registration.installing?.addEventListener('statechange', look),
    );
    // Offline, the update fails. That is fine.
    setInterval(() => void registration.update().catch(() => undefined), ASK_EVERY_MS);
  } catch {
    // Refused here, as in some private windows; everything else works.
    return;
  }
}

/** Switches to the newer build: all files at once, by a reload. */
export function takeUpdate(): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker takes none
  waiting?.postMessage('take over');
}
