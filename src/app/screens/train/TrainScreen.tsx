import { lazy, useEffect } from 'react';
import { listenForHotkeys } from '../../actions/hotkeys.ts';
import { Later } from '../../components/Later.tsx';
import { ChangesBar } from './changes/ChangesBar.tsx';
import { CurvesPanel } from './curves/CurvesPanel.tsx';
import { DataPanel } from './data/DataPanel.tsx';
import { MistakesPanel } from './mistakes/MistakesPanel.tsx';
import { ModelPanel } from './model/ModelPanel.tsx';
import { Notices, SlowNotice } from '../../shell/Notices.tsx';
import { RunNotices } from '../../shell/RunNotices.tsx';
import { PadPanel } from '../../pad/PadPanel.tsx';
import { RunBar } from './run-bar/RunBar.tsx';
import { SettingsPanel } from './settings/SettingsPanel.tsx';
import { useRoute } from '../../route.ts';
import { useApp } from '../../state/store.ts';
import styles from './TrainScreen.module.css';

const LinkNotice = lazy(async () => ({ default: (await import('./link/LinkNotice.tsx')).LinkNotice }));

const FirstFilters = lazy(async () => ({
  default: (await import('./first-filters/FirstFilters.tsx')).FirstFilters,
}));

/** What to learn from and how, how it goes, and a try at it. Its keys work only while it is shown. */
export function TrainScreen() {
  useEffect(listenForHotkeys, []);
  return (
    <>
      <RunBar />
      <Notices />
      <SlowNotice />
      <RunNotices />
      <OpenedLink />
      <ChangesBar />
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
          <Filters />
          <ModelPanel />
        </div>
      </div>
    </>
  );
}

/** There is nothing to see before the first run, and nothing to fetch. */
function Filters() {
  const hasRun = useApp((state) => state.runId > 0);
  if (!hasRun) return null;
  return (
    <Later name="The first filters">
      <FirstFilters />
    </Later>
  );
}

/** What the address brings, if it is that of a link. */
function OpenedLink() {
  const { screen, parameters } = useRoute();
  if (screen !== 'train' || !('v' in parameters)) return null;
  return (
    <Later name="What the link sets">
      <LinkNotice />
    </Later>
  );
}
