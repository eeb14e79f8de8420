import { useEffect } from 'react';
import { Button } from '../../components/Button.tsx';
import { Notice } from '../../components/Notice.tsx';
import { Panel } from '../../components/Panel.tsx';
import { ScreenHead } from '../../components/ScreenHead.tsx';
import styles from './Doctor.module.css';
import { CheckList } from './CheckList.tsx';
import { verdictOf } from './verdict.ts';
import { Subject } from '../profile/Subject.tsx';
import { Notices } from '../../shell/notices/Notices.tsx';
import { useApp } from '../../state/store.ts';
import { cancelStudy, examine, loadChecks, obstacleToDoctor } from '../../study.ts';

/** What often goes wrong in training, checked one after the other. */
export function DoctorScreen() {
  useEffect(() => void loadChecks(), []);
  const checks = useApp((state) => state.checks);
  const examination = useApp((state) => state.examination);
  const error = useApp((state) => state.examinationError);
  const busy = useApp((state) => state.study === 'doctor');
  const checking = useApp((state) => state.checking);
  const rests = useApp((state) => state.studyRests);
  const findings = examination?.findings ?? [];
  return (
    <div className={styles.screen}>
      <ScreenHead
        title="Doctor"
        explanation={
          <>
            The checks of{' '}
            <a href="https://karpathy.github.io/2019/04/25/recipe/" target="_blank" rel="noreferrer">
              a recipe for training networks
            </a>
            , on your model, data and settings: what often goes wrong, what it means, and what to do.
          </>
        }
      >
        <div className={styles.action}>
          <Subject data />
          {busy ? (
            <Button icon="stop" onPress={() => void cancelStudy()}>
              Stop
            </Button>
          ) : (
            <ExamineButton again={examination !== undefined} />
          )}
        </div>
      </ScreenHead>
      <Notices />
      {error && (
        <Notice kind="error" title="The examination could not go on">
          <p>{error.message}</p>
          {error.advice && <p>{error.advice}</p>}
        </Notice>
      )}
      <p className={styles.verdict} role="status" aria-label="Verdict">
        {verdictOf({ findings, checks: checks.length, busy, examined: examination !== undefined })}
        {rests && ' Training rests meanwhile, and goes on afterwards.'}
      </p>
      {examination && !busy && (
        <p className={styles.about}>
          {examination.model}, {examination.adapter?.description},{' '}
          {examination.date.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}.{' '}
          {examination.step === undefined
            ? 'Networks of their own were trained for this, from the start that your seed draws.'
            : `Dead ReLUs were counted in your run as it was after step ${examination.step}; for the rest, networks of their own were trained from the start that your seed draws.`}
        </p>
      )}
      <Panel title="Checks">
        <CheckList checks={checks} findings={findings} checking={busy ? checking : undefined} />
      </Panel>
    </div>
  );
}

function ExamineButton({ again }: { again: boolean }) {
  const obstacle = useApp(obstacleToDoctor);
  return (
    <Button icon="pulse" kind="primary" obstacle={obstacle} onPress={() => void examine()}>
      {again ? 'Examine again' : 'Examine'}
    </Button>
  );
}
