import { useState } from 'react';
import type { ProfileReport } from '../../../worker/api.ts';
import { stopGpuTask } from '../../actions/actions.ts';
import { Button } from '../../widgets/Button.tsx';
import { FailureNotice, Callout, NoticeStack } from '../../widgets/Notice.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { Foreseen } from '../../components/Foreseen.tsx';
import { Resumes } from '../../components/Resumes.tsx';
import { ScreenHead } from '../../components/ScreenHead.tsx';
import { useSubject } from '../../components/use-subject.ts';
import * as format from '../../format.ts';
import { obstacleToMeasuring, type MeasuredRun } from '../../measured-run.ts';
import { useApp } from '../../state/store.ts';
import { explainParts, isNoisy, partsOf, sumOfKernels } from './breakdown.ts';
import { ComparisonPanel } from './ComparisonPanel.tsx';
import { Method } from './Method.tsx';
import { profileStep, useProfile } from '../../state/profile-store.ts';
import { VERBS } from '../verbs.ts';
import styles from './Profile.module.css';
import { Roofline } from './Roofline.tsx';
import { CallPanel, KernelPanel } from './tables.tsx';
import { Timeline } from './Timeline.tsx';

/** Where the time of one training step goes. */
export function ProfileScreen() {
  const profile = useProfile((state) => state.profile);
  const error = useProfile((state) => state.error);
  const measuring = useProfile((state) => state.progress !== undefined);
  const obstacle = useApp((state) => obstacleToMeasuring(state));
  const subject = useSubject({ data: false });
  const start = (
    <Button verb={VERBS.profile} kind="primary" obstacle={obstacle} onPress={() => void profileStep()}>
      {profile ? 'Profile again' : undefined}
    </Button>
  );
  return (
    <div className={styles.screen}>
      <ScreenHead
        title="Profile"
        subject={subject}
        explanation="Where the time goes in one training step: in kernels, and in the calls that submit them."
      >
        {!measuring && profile && start}
      </ScreenHead>
      <NoticeStack>{error && <FailureNotice title="Profiling failed" error={error} />}</NoticeStack>
      <div className="column">
        {measuring && <Progress />}
        {!profile && !measuring && (
          <Panel title="No profile yet">
            <Foreseen of="timeline">
              <p className={styles.empty}>
                <b>Profile a step</b> times every kernel of the current model on synthetic images, plus a
                large matrix multiplication and a memory copy to measure this device’s peak. It takes a few
                seconds; training is paused and resumes afterwards.
              </p>
              {start}
            </Foreseen>
          </Panel>
        )}
        {profile && <Results key={profile.date.getTime()} profile={profile} />}
      </div>
    </div>
  );
}

const PHASES = {
  compiling: 'Compiling the step’s kernels',
  calls: 'Timing CPU calls',
  steps: 'Timing consecutive steps',
  kernels: 'Timing each kernel',
  ceilings: 'Measuring peak compute and bandwidth',
} as const;

function Progress() {
  const { progress } = useProfile();
  return (
    <Panel title="Profiling">
      <div className="stack">
        <div className={styles.progress} role="status" aria-label="Profile">
          <p>{PHASES[progress?.phase ?? 'compiling']}…</p>
          <progress value={progress?.share ?? 0} max={1} aria-label="Profiling progress" />
          <Button icon="stop" onPress={() => void stopGpuTask()}>
            Cancel
          </Button>
        </div>
        <p className="faint">
          <Resumes />
        </p>
      </div>
    </Panel>
  );
}

function Results({ profile }: { profile: MeasuredRun & ProfileReport }) {
  const [selected, select] = useState<number>();
  const earlier = useProfile((state) => state.earlier);
  const [against, setAgainst] = useState<number>();
  const other = earlier.find(({ date }) => date.getTime() === against);
  const props = { profile, selected, select };
  return (
    <>
      <Breakdown profile={profile} />
      <Timeline {...props} other={other} />
      <ComparisonPanel profile={profile} earlier={earlier} other={other} onChange={setAgainst} />
      <div className={styles.columns}>
        <div className="column">
          <KernelPanel {...props} />
          <Method profile={profile} />
        </div>
        <div className="column">
          <Roofline {...props} />
          <CallPanel profile={profile} />
        </div>
      </div>
    </>
  );
}

const PARTS = {
  kernels: 'Kernels',
  'between kernels': 'Between kernels',
  'between steps': 'Between steps',
} as const;

/** The step's wall-clock time, and its parts, if the measurements agree. */
function Breakdown({ profile }: { profile: MeasuredRun & ProfileReport }) {
  const { wall, batchSize } = profile;
  return (
    <Panel
      title={`Step time: ${format.time(wall.median)}`}
      explanation={`${format.rate((1000 * batchSize) / wall.median)} images per second, ${profile.kernels.length} kernels. Wall-clock time of consecutive steps: ${format.time(wall.p10)} to ${format.time(wall.p90)} (10th to 90th percentile of ${wall.samples} samples of ${format.steps(wall.repetitions)}).`}
    >
      <div className="stack">
        {isNoisy(profile) ? <Noisy profile={profile} /> : <Parts profile={profile} />}
      </div>
    </Panel>
  );
}

/** What was measured, where that contradicts itself. */
function Noisy({ profile }: { profile: MeasuredRun & ProfileReport }) {
  const { wall, gpu, kernels } = profile;
  const obstacle = useApp((state) => obstacleToMeasuring(state));
  return (
    <>
      <Callout
        kind="warning"
        title="Too noisy: measure again"
        actions={
          <Button icon="retry" obstacle={obstacle} onPress={() => void profileStep(profile.config)}>
            Measure again
          </Button>
        }
      >
        <p>
          The three times below are measured one after the other. Other programs, or a clock speed that
          changes, made them vary, so they may contradict each other: even a single kernel may seem to take
          longer than the step. Close other programs, then measure again.
        </p>
      </Callout>
      <dl className={styles.figures}>
        <Figure name="Whole steps, wall clock" ms={wall.median} />
        <Figure name="The kernels of a step, back to back" ms={gpu.median} />
        <Figure name="Each kernel alone, added up" ms={sumOfKernels(kernels)} />
      </dl>
    </>
  );
}

/** The step's wall-clock time against the sum of its kernels, with the difference explained. */
function Parts({ profile }: { profile: ProfileReport }) {
  const { wall } = profile;
  const parts = partsOf(profile);
  return (
    <>
      <div className={styles.parts} aria-hidden="true">
        {parts.map(
          ({ name, ms }) =>
            ms > 0 && <span key={name} data-part={name} style={{ width: `${(100 * ms) / wall.median}%` }} />,
        )}
      </div>
      <dl className={styles.figures}>
        {parts.map(({ name, ms }) => (
          <Figure key={name} name={PARTS[name]} part={name} ms={ms} />
        ))}
        <Figure name="Wall clock" ms={wall.median} />
      </dl>
      {explainParts(profile).map((sentence) => (
        <p key={sentence} className="faint">
          {sentence}
        </p>
      ))}
    </>
  );
}

/** A time, and the colour of the part of the bar that shows it. */
function Figure({ name, part, ms }: { name: string; part?: keyof typeof PARTS; ms: number }) {
  return (
    <div>
      <dt className="beside soft">
        {part && <i className={styles.swatch} data-part={part} aria-hidden="true" />}
        {name}
      </dt>
      <dd>{ms === 0 ? '0' : format.time(ms)}</dd>
    </div>
  );
}
