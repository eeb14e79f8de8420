import { useEffect } from 'react';
import { listenForHotkeys } from './actions/hotkeys.ts';
import styles from './App.module.css';
import { CurvesPanel } from './panels/curves/CurvesPanel.tsx';
import { DataPanel } from './panels/data/DataPanel.tsx';
import { MistakesPanel } from './panels/mistakes/MistakesPanel.tsx';
import { ModelPanel } from './panels/model/ModelPanel.tsx';
import { Announcer } from './panels/notices/Announcer.tsx';
import { Notices } from './panels/notices/Notices.tsx';
import { PadPanel } from './panels/pad/PadPanel.tsx';
import { RunBar } from './panels/run-bar/RunBar.tsx';
import { SettingsPanel } from './panels/settings/SettingsPanel.tsx';
import { TopBar } from './panels/top-bar/TopBar.tsx';
import { useApp } from './state/store.ts';

/** The page: what to learn from and how, how it goes, and a try at it. */
export function App() {
  useEffect(listenForHotkeys, []);
  return (
    <div className={styles.page}>
      <TopBar />
      <Announcer />
      <main>
        <RunBar />
        <Notices />
        <div className={styles.screen}>
          <div className={styles.column}>
            <DataPanel />
            <SettingsPanel />
          </div>
          <div className={styles.column}>
            <CurvesPanel />
            <MistakesPanel />
          </div>
          <div className={styles.column}>
            <PadPanel />
            <ModelPanel />
          </div>
        </div>
      </main>
      <Footer />
    </div>
  );
}

function Footer() {
  const hotkeys = useApp((state) => state.hotkeys);
  const setHotkeys = useApp((state) => state.setHotkeys);
  return (
    <footer className={styles.footer}>
      <label>
        <input type="checkbox" checked={hotkeys} onChange={(event) => setHotkeys(event.target.checked)} />
        <span>
          Keys: <kbd>Space</kbd> trains and pauses, <kbd>.</kbd> trains one batch
        </span>
      </label>
      <p>Everything happens on this machine: no image and no drawing leaves it.</p>
    </footer>
  );
}
