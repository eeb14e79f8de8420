import { Button } from '../../components/Button.tsx';
import { Notice } from '../../components/Notice.tsx';
import { Panel } from '../../components/Panel.tsx';
import { ScreenHead } from '../../components/ScreenHead.tsx';
import { Breakdown } from './Breakdown.tsx';
import { CallTable } from './CallTable.tsx';
import { KernelPanel } from './KernelPanel.tsx';
import { Method } from './Method.tsx';
import { Progress } from './Progress.tsx';
import { Roofline } from './Roofline.tsx';
import styles from './Profile.module.css';
import { Timeline } from './Timeline.tsx';
import { SelectedKernel } from './selection.tsx';
import { Subject } from './Subject.tsx';
import { Notices } from '../../shell/notices/Notices.tsx';
import { SlowNotice } from '../../shell/notices/SlowNotice.tsx';
import { useApp } from '../../state/store.ts';
import { obstacleToProfile, profileStep } from '../../study.ts';

/** One training step, taken apart. */
export function ProfileScreen() {
  const profile = useApp((state) => state.profile);
  const error = useApp((state) => state.profileError);
  const measuring = useApp((state) => state.study === 'profile');
  return (
    <div className={styles.screen}>
      <ScreenHead
        title="Profile"
        explanation="One training step, taken apart: what the processor does, what the GPU does, and where the time goes."
      >
        <div className={styles.action}>
          <Subject />
          {!measuring && <MeasureButton again={profile !== undefined} />}
        </div>
      </ScreenHead>
      <Notices />
      <SlowNotice />
      {error && (
        <Notice kind="error" title="The step could not be measured">
          <p>{error.message}</p>
          {error.advice && <p>{error.advice}</p>}
        </Notice>
      )}
      {measuring && <Progress />}
      {!profile && !measuring && <Nothing />}
      {profile && (
        <SelectedKernel key={profile.date.getTime()}>
          <div className={styles.parts}>
            <Breakdown profile={profile} />
            <Timeline profile={profile} />
            <div className={styles.columns}>
              <div className={styles.column}>
                <KernelPanel profile={profile} />
                <Method profile={profile} />
              </div>
              <div className={styles.column}>
                <Roofline profile={profile} />
                <CallTable profile={profile} />
              </div>
            </div>
          </div>
        </SelectedKernel>
      )}
    </div>
  );
}

function MeasureButton({ again }: { again: boolean }) {
  const obstacle = useApp(obstacleToProfile);
  return (
    <Button icon="gauge" kind="primary" obstacle={obstacle} onPress={() => void profileStep()}>
      {again ? 'Measure again' : 'Measure a step'}
    </Button>
  );
}

function Nothing() {
  return (
    <Panel title="Nothing measured yet">
      <div className={styles.empty}>
        <p>
          <b>Measure a step</b> runs the model of the Train screen on images made up for it, each kernel many
          times over, and a large matrix product and a copy to see what this GPU can do at best. That takes
          some seconds; a run that trains rests meanwhile, and goes on afterwards.
        </p>
      </div>
    </Panel>
  );
}
