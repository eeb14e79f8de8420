import { useEffect, useState } from 'react';
import { listenForHotkeys } from '../../actions/hotkeys.ts';
import { later } from '../../components/later.tsx';
import { useApp } from '../../state/store.ts';
import { Choice } from '../../widgets/Choice.tsx';
import { PadPanel } from '../../pad/PadPanel.tsx';
import { ChangesBar, ChangesList } from './changes/ChangesBar.tsx';
import { CurvesPanel } from './CurvesPanel.tsx';
import { DataCard } from './DataCard.tsx';
import { Forecast } from './Forecast.tsx';
import { ModelCard } from './ModelCard.tsx';
import { NetworkPanel } from './network/NetworkPanel.tsx';
import { Results } from './Results.tsx';
import { SettingsCard } from './settings/SettingsCard.tsx';
import { useSought } from './settings/sought.tsx';
import { Sparkline } from './Sparkline.tsx';
import styles from './Train.module.css';

const PrintSheet = later(
  'The run on paper',
  async () => (await import('../../print/PrintSheet.tsx')).PrintSheet,
);

/** What a phone shows one of at a time; larger windows show all of them. */
const PARTS = { try: 'Try', curves: 'Curves', mistakes: 'Mistakes', settings: 'Settings' };

/**
 * Data, model and settings of the run, its progress, and the pad to test it: all in view, from laptops on. Its keys work
 * only while it is shown.
 */
export function TrainScreen() {
  const [part, setPart] = useState<keyof typeof PARTS>('try');
  const hasRun = useApp((state) => state.runId > 0);
  useSought(() => setPart('settings'));
  useEffect(listenForHotkeys, []);
  return (
    <div className={styles.screen} data-part={part}>
      <div className={styles.phoneHead}>
        <Sparkline />
        <Choice label="Part of the screen" value={part} options={PARTS} onChange={setPart} />
      </div>
      <div className={styles.settings}>
        <DataCard />
        <ModelCard />
        <SettingsCard />
        <ChangesBar />
        <Forecast />
        <ChangesList />
      </div>
      <div className={styles.centre}>
        <NetworkPanel />
        <CurvesPanel />
      </div>
      <div className={styles.try}>
        <PadPanel dense />
      </div>
      <Results />
      {hasRun && <PrintSheet />}
    </div>
  );
}
