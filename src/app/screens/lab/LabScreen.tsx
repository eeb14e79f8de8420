import { useEffect, type ComponentType } from 'react';
import { train } from '../../actions/actions.ts';
import { Button } from '../../components/Button.tsx';
import { Notice } from '../../components/Notice.tsx';
import { ScreenHead } from '../../components/ScreenHead.tsx';
import { hrefOf, useRoute } from '../../route.ts';
import { useApp } from '../../state/store.ts';
import { Notices, SlowNotice } from '../../shell/Notices.tsx';
import styles from './LabScreen.module.css';
import { cancel, loadLab, runningPlace, useLab } from './lab-store.ts';
import { LadderView } from './ladder/LadderView.tsx';
import { MapView } from './map/MapView.tsx';
import { PLACES } from './obstacle.ts';
import { RaceView } from './race/RaceView.tsx';
import { SuiteView } from './suite/SuiteView.tsx';
import { TuneView } from './tune/TuneView.tsx';

interface View {
  /** In the address: `#/lab/map`. */
  name: string;
  title: string;
  explanation: string;
  Content: ComponentType;
}

const VIEWS: readonly [View, ...View[]] = [
  {
    name: 'race',
    title: 'Race',
    explanation: 'One convolution, every way to compute it: each is checked, then timed on this machine.',
    Content: RaceView,
  },
  {
    name: 'presets',
    title: 'Presets',
    explanation: 'Layers that people know: a study’s nine small cases, and five networks.',
    Content: SuiteView,
  },
  {
    name: 'map',
    title: 'Winner map',
    explanation: 'Which algorithm wins for which size: channels to the right, images upwards.',
    Content: MapView,
  },
  {
    name: 'ladder',
    title: 'Ladder',
    explanation: 'From plain loops to a tuned kernel, one change at a time.',
    Content: LadderView,
  },
  {
    name: 'tune',
    title: 'Autotune',
    explanation: 'Measures every convolution of the model in all directions; training then uses the fastest.',
    Content: TuneView,
  },
];

/** The Algorithm Lab: how convolutions are computed, compared by measurement. */
export function LabScreen() {
  useEffect(() => void loadLab(), []);
  const { view: wanted } = useRoute();
  const { name, explanation, Content } = VIEWS.find((view) => view.name === wanted) ?? VIEWS[0];
  return (
    <div className={styles.lab}>
      <ScreenHead
        title="Algorithm Lab"
        label="Parts of the Lab"
        views={VIEWS.map((view) => ({ ...view, href: hrefOf('lab', view.name) }))}
        current={name}
        explanation={explanation}
      />
      <Notices />
      <SlowNotice />
      <LabNotices />
      <Content />
      <Announcements />
    </div>
  );
}

/** What the Lab does to the training, and what goes on in a part of it that is not shown. */
function LabNotices() {
  const pausedRun = useLab((state) => state.pausedRun);
  const running = useLab(runningPlace);
  const training = useApp(({ runState }) => runState === 'training' || runState === 'preparing');
  const obstacle = useApp(train.obstacle);
  const dismiss = useLab((state) => state.dismissPausedRun);
  if (training && !running) {
    return (
      <Notice kind="info" title="A model is being trained">
        <p>To measure, the Lab pauses it: two programs on one GPU give wrong times.</p>
      </Notice>
    );
  }
  if (!pausedRun) return null;
  return (
    <Notice
      kind="info"
      title={running ? 'Training is paused while the Lab measures' : 'Training is still paused'}
      actions={
        running ? (
          <Button icon="stop" onPress={() => void cancel()}>
            Stop measuring
          </Button>
        ) : (
          <>
            <Button icon="play" obstacle={obstacle} onPress={() => void train.perform()}>
              Go on training
            </Button>
            <Button kind="quiet" onPress={dismiss}>
              Leave it
            </Button>
          </>
        )
      }
    >
      <p>The GPU was needed alone, so that the times are right. Nothing of the run is lost.</p>
    </Notice>
  );
}

/** For screen readers: that measuring has begun and ended, not every bar. */
function Announcements() {
  const running = useLab(runningPlace);
  return (
    <p className="unseen" role="status" aria-label="Lab">
      {running ? `${PLACES[running]} is being measured.` : ''}
    </p>
  );
}
