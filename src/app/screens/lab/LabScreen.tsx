import { useEffect, type ComponentType } from 'react';
import { stopGpuTask } from '../../actions/actions.ts';
import { Button } from '../../widgets/Button.tsx';
import { Callout, NoticeStack } from '../../widgets/Notice.tsx';
import { later } from '../../components/later.tsx';
import { ScreenHead } from '../../components/ScreenHead.tsx';
import { useView } from '../../route.ts';
import { useApp } from '../../state/store.ts';
import { MEASUREMENTS } from './controls.tsx';
import { loadLab, runningView, useLab } from './lab-store.ts';
import { LadderView } from './LadderView.tsx';
import { MapView } from './MapView.tsx';
import { RaceView } from './RaceView.tsx';
import { SuiteView } from './SuiteView.tsx';
import { TuneView } from './TuneView.tsx';

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
    explanation:
      'Benchmark every algorithm on one convolution. Each is verified, then timed on this machine.',
    Content: RaceView,
  },
  {
    name: 'presets',
    title: 'Presets',
    explanation: 'Benchmark layers of well-known networks.',
    Content: SuiteView,
  },
  {
    name: 'map',
    title: 'Winner map',
    explanation: 'Fastest algorithm by channel count (x) and image size (y).',
    Content: MapView,
  },
  {
    name: 'ladder',
    title: 'Ladder',
    explanation: 'From naive loops to a tuned kernel, one optimisation at a time.',
    Content: LadderView,
  },
  {
    name: 'tune',
    title: 'Autotune',
    explanation:
      'Benchmark every convolution of the model, forward and backward. Training then uses the fastest.',
    Content: TuneView,
  },
  {
    name: 'kernels',
    title: 'Write a kernel',
    explanation:
      'Six lessons, from the seven loops of a convolution to Winograd. Your code is tested and timed.',
    Content: later('The lessons', async () => (await import('./kernels/KernelsView.tsx')).KernelsView),
  },
];

/** The Algorithm Lab: convolution algorithms, compared by measurement. */
export function LabScreen() {
  useEffect(() => void loadLab(), []);
  const { name, explanation, Content } = useView('lab', VIEWS);
  return (
    <>
      <ScreenHead
        title="Algorithm Lab"
        label="Lab views"
        screen="lab"
        views={VIEWS}
        current={name}
        explanation={explanation}
      />
      <NoticeStack>
        <LabNotices />
      </NoticeStack>
      <Content />
      <Announcements />
    </>
  );
}

/** That the Lab pauses training, or has paused it. */
function LabNotices() {
  const running = useLab(runningView);
  const training = useApp(({ runState }) => runState === 'training' || runState === 'preparing');
  const resumes = useApp((state) => state.resumes);
  if (training && !running) {
    return (
      <Callout kind="info" title="Training in progress">
        <p>The Lab pauses training while it measures, so that timings are accurate.</p>
      </Callout>
    );
  }
  if (!running || !resumes) return null;
  return (
    <Callout
      kind="info"
      title="Training paused while the Lab is measuring"
      actions={
        <Button icon="stop" onPress={() => void stopGpuTask()}>
          Stop measuring
        </Button>
      }
    >
      <p>Benchmarks run alone. Training resumes afterwards.</p>
    </Callout>
  );
}

/** For screen readers: that a measurement starts and ends, not every bar. */
function Announcements() {
  const running = useLab(runningView);
  return (
    <p className="unseen" role="status" aria-label="Lab">
      {running ? `${MEASUREMENTS[running]} is running.` : ''}
    </p>
  );
}
