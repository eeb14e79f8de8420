import { useEffect, useState } from 'react';
import { listenForHotkeys } from '../../actions/hotkeys.ts';
import { Choice } from '../../widgets/Choice.tsx';
import { later } from '../../components/later.tsx';
import { useCurrentLesson } from '../lessons/player/current.ts';
import { PadPanel } from '../../pad/PadPanel.tsx';
import { DataCard } from './DataCard.tsx';
import { ModelCard } from './ModelCard.tsx';
import { NetworkPanel } from './network/NetworkPanel.tsx';
import { Results } from './Results.tsx';
import { showPart, useTrainPart } from './part.ts';
import { SettingsCard } from './settings/SettingsCard.tsx';
import { useSought } from './settings/sought.tsx';
import { Sparkline } from './Sparkline.tsx';
import { useLiveValue } from '../../metrics/use-live.ts';
import { train as texts } from '../../messages/en/train.tsx';
import { useApp } from '../../state/store.ts';
import styles from './Train.module.css';

const CurvesPanel = later('The curves', async () => (await import('./CurvesPanel.tsx')).CurvesPanel);

const Forecast = later('What comes next', async () => (await import('./Forecast.tsx')).Forecast);

const ChangesBar = later(
  'Changes that wait',
  async () => (await import('./changes/ChangesBar.tsx')).ChangesBar,
);

const ChangesList = later(
  'Changes during this run',
  async () => (await import('./changes/ChangesBar.tsx')).ChangesList,
);

const Milestone = later('What it can do now', async () => (await import('./Milestone.tsx')).Milestone);

const FirstSentence = later(
  'What this page is',
  async () => (await import('../../tour/FirstSentence.tsx')).FirstSentence,
);

const PrintSheet = later(
  'The run on paper',
  async () => (await import('../../print/PrintSheet.tsx')).PrintSheet,
);

/**
 * Data, model and settings of the run, its progress, and the pad to test it: all in view, from laptops on. Its keys work
 * only while it is shown.
 */
export function TrainScreen() {
  const part = useTrainPart((state) => state.part);
  const arrived = useApp((state) => state.arrived);
  useSought(() => showPart('settings'));
  const hasSteps = useLiveValue(({ step }) => step > 0);
  useEffect(listenForHotkeys, []);
  return (
    <>
      <Introduction />
      <div className={styles.screen} data-part={part}>
        <div className={styles.phoneHead}>
          <Sparkline>
            <Forecast />
          </Sparkline>
          <Choice label={texts.parts.label} value={part} options={texts.parts.names} onChange={showPart} />
        </div>
        <div className={styles.settings}>
          <DataCard />
          <ModelCard />
          <SettingsCard />
          {hasSteps && <ChangesBar />}
          <Forecast />
          {hasSteps && <ChangesList />}
        </div>
        <div className={styles.centre}>
          <NetworkPanel />
          {hasSteps && <Milestone />}
          {arrived ? <CurvesPanel meanwhile={<Reserved />} /> : <Reserved />}
        </div>
        <div className={styles.try}>
          <PadPanel dense />
        </div>
        <Results />
        {hasSteps && <PrintSheet />}
      </div>
    </>
  );
}

/** The place of the curves until they are here, so that nothing moves. */
const Reserved = () => <section className={styles.curves} />;

/** Above everything until somebody trains, opens a lesson, ends the tour or dismisses it. What goes leaves its room until the next visit, so that nothing moves. */
function Introduction() {
  const introduced = useApp((state) => state.introduced);
  const hasRun = useApp((state) => state.runId > 0);
  const hasLesson = useCurrentLesson(({ address }) => address !== undefined);
  const dismiss = useApp((state) => state.dismissIntroduction);
  const [wasNew] = useState(!introduced);
  useEffect(() => {
    if (hasRun || hasLesson) dismiss();
  }, [hasRun, hasLesson, dismiss]);
  return (
    wasNew && (
      <div className={styles.introduction} data-gone={introduced || undefined} data-run={hasRun || undefined}>
        <FirstSentence />
      </div>
    )
  );
}
