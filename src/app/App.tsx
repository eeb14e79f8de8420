import { Activity, Suspense, useState } from 'react';
import styles from './shell/Shell.module.css';
import { Boundary } from './components/Boundary.tsx';
import { Announcer } from './shell/Announcer.tsx';
import { canKeepScreenOn } from './keep-screen-on.ts';
import { MissingPart } from './shell/Notices.tsx';
import { Overlays } from './shell/Overlays.tsx';
import { TopBar } from './shell/TopBar.tsx';
import { parseRoute, useHash } from './route.ts';
import { SCREENS } from './screens/index.ts';
import { useApp } from './state/store.ts';

/** The page: one screen of several, by the address. A screen that was visited stays as it was left. */
export function App() {
  const hash = useHash();
  const { screen } = parseRoute(hash);
  const current = SCREENS.find(({ name }) => name === screen) ?? SCREENS[0];
  // Where each visited screen was left.
  const [addresses, setAddresses] = useState<Readonly<Record<string, string>>>({});
  if (addresses[current.name] !== hash) setAddresses({ ...addresses, [current.name]: hash });
  return (
    <div className={styles.page}>
      <TopBar screen={current.name} addresses={addresses} />
      <Announcer />
      <Overlays />
      <main>
        <MissingPart />
        {SCREENS.filter(({ name }) => name in addresses).map(({ name, title, Content }) => (
          <Activity key={name} mode={name === current.name ? 'visible' : 'hidden'}>
            <Boundary name={title}>
              <Suspense fallback={<p className={styles.loading}>Loading…</p>}>
                <Content />
              </Suspense>
            </Boundary>
          </Activity>
        ))}
      </main>
      <Footer training={current.name === 'train'} />
    </div>
  );
}

/** The page's own settings, on the screen where they matter. */
function Footer({ training }: { training: boolean }) {
  const hotkeys = useApp((state) => state.hotkeys);
  const setHotkeys = useApp((state) => state.setHotkeys);
  const keepScreenOn = useApp((state) => state.keepScreenOn);
  const setKeepScreenOn = useApp((state) => state.setKeepScreenOn);
  return (
    <footer className={`spread faint ${styles.footer}`}>
      {training && (
        <label className="row">
          <input type="checkbox" checked={hotkeys} onChange={(event) => setHotkeys(event.target.checked)} />
          <span>
            Keyboard shortcuts: <kbd>Space</kbd> train or pause, <kbd>.</kbd> step, <kbd>?</kbd> show all
          </span>
        </label>
      )}
      {training && canKeepScreenOn() && (
        <label className="row">
          <input
            type="checkbox"
            checked={keepScreenOn}
            onChange={(event) => setKeepScreenOn(event.target.checked)}
          />
          <span>Keep the screen on while training</span>
        </label>
      )}
      <p>Everything runs locally. Images, drawings and timings never leave your device.</p>
    </footer>
  );
}
