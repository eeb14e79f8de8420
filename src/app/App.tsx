import { Activity, Suspense, useEffect, useState } from 'react';
import styles from './shell/Shell.module.css';
import { Boundary } from './components/Boundary.tsx';
import { Announcer } from './shell/Announcer.tsx';
import { NoticePlace } from './shell/NoticePlace.tsx';
import { Overlays } from './shell/Overlays.tsx';
import { TopBar } from './shell/TopBar.tsx';
import { listenForPresenting, usePresenting } from './presenting.ts';
import { parseRoute, useHash, useLost } from './route.ts';
import { SCREENS } from './screens/index.ts';

/** The page: one screen of several, by the address. A screen that was visited stays as it was left. */
export function App() {
  const hash = useHash();
  const { screen } = parseRoute(hash);
  const presenting = usePresenting();
  useEffect(listenForPresenting, []);
  const known = SCREENS.find(({ name }) => name === screen);
  const current = known ?? SCREENS[0];
  useLost(screen !== '' && known === undefined);
  // Where each visited screen was left.
  const [addresses, setAddresses] = useState<Readonly<Record<string, string>>>({});
  if (addresses[current.name] !== hash) setAddresses({ ...addresses, [current.name]: hash });
  return (
    <>
      <SkipLink />
      <TopBar screen={current.name} addresses={addresses} />
      <Announcer screen={current.title} />
      <Overlays />
      <main
        className={styles.main}
        data-screen={current.name}
        data-presenting={presenting || undefined}
        tabIndex={-1}
      >
        {SCREENS.filter(({ name }) => name in addresses).map(({ name, title, Content }) => (
          <Activity key={name} mode={name === current.name ? 'visible' : 'hidden'}>
            <Boundary name={title}>
              <Suspense fallback={<p className={styles.loading}>Loading…</p>}>
                <Content />
              </Suspense>
            </Boundary>
          </Activity>
        ))}
        <NoticePlace screen={current.name} />
      </main>
    </>
  );
}

/** Leads the keyboard past the links of the top bar. The address has the screen, so it is a button. */
const SkipLink = () => (
  <button
    type="button"
    className={styles.skip}
    onClick={() => document.querySelector<HTMLElement>('main')?.focus()}
  >
    Skip to content
  </button>
);
