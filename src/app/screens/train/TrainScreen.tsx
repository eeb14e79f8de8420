import { useEffect } from 'react';
import { listenForHotkeys } from '../../actions/hotkeys.ts';
import { later } from '../../components/later.tsx';
import { ChangesBar } from './changes/ChangesBar.tsx';
import { CurvesPanel } from './CurvesPanel.tsx';
import { DataPanel } from './DataPanel.tsx';
import { MistakesPanel } from './MistakesPanel.tsx';
import { ModelPanel } from './ModelPanel.tsx';
import { Notices, SlowNotice } from '../../shell/Notices.tsx';
import { RunNotices } from '../../shell/RunNotices.tsx';
import { PadPanel } from '../../pad/PadPanel.tsx';
import { RunBar } from './RunBar.tsx';
import { SettingsPanel } from './settings/SettingsPanel.tsx';
import { useRoute } from '../../route.ts';
import { useLive } from '../../metrics/use-live.ts';
import { useApp } from '../../state/store.ts';
import styles from './Train.module.css';

const LinkNotice = later('Link settings', async () => (await import('./link/LinkNotice.tsx')).LinkNotice);

const FirstFilters = later(
  'First-layer filters',
  async () => (await import('./FirstFilters.tsx')).FirstFilters,
);

/** Data, settings and model of the run, its progress, and the pad to test it. Its keys work only while it is shown. */
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
        <div className="column">
          <DataPanel />
          <SettingsPanel />
        </div>
        <div className="column">
          <CurvesPanel />
          <MistakesPanel />
        </div>
        <div className="column">
          <PadPanel />
          <Filters />
          <ModelPanel />
        </div>
      </div>
    </>
  );
}

/** Before the first step there is nothing to show, so its code is not fetched. */
function Filters() {
  const hasRun = useApp((state) => state.runId > 0);
  const { step } = useLive();
  return hasRun && step > 0 ? <FirstFilters /> : null;
}

/** The settings in the address, if a link was opened. */
function OpenedLink() {
  const { screen, parameters } = useRoute();
  if (screen !== 'train' || !('v' in parameters)) return null;
  return <LinkNotice />;
}
