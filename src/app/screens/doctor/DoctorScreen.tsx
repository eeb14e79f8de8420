import * as format from '../../format.ts';
import { useEffect } from 'react';
import type { RunConfig } from '../../../worker/api.ts';
import { stopGpuTask } from '../../actions/actions.ts';
import { Button } from '../../widgets/Button.tsx';
import { FailureNotice, NoticeStack } from '../../widgets/Notice.tsx';
import { ScreenHead } from '../../components/ScreenHead.tsx';
import { useSubject } from '../../components/use-subject.ts';
import { useApp } from '../../state/store.ts';
import { VERBS } from '../verbs.ts';
import { CheckList } from './CheckList.tsx';
import { applyFix, examine, loadChecks, obstacleToDoctor, useDoctor } from './doctor-store.ts';
import styles from './Doctor.module.css';
import { verdictOf } from './verdict.ts';

const initialised = ({ start, initialWeights }: RunConfig): string =>
  start || initialWeights !== undefined
    ? 'with the weights that the run starts from'
    : 'initialised from your seed';

/** Checks for common training problems, run one after the other. */
export function DoctorScreen() {
  useEffect(() => void loadChecks(), []);
  const { checks, examination, error, busy, checking, pausedRun } = useDoctor();
  const obstacle = useApp(obstacleToDoctor);
  const subject = useSubject({ data: true });
  const findings = examination?.findings ?? [];
  return (
    <>
      <ScreenHead
        title="Doctor"
        subject={subject}
        explanation={
          <>
            Checks, many of them from{' '}
            <a href="https://karpathy.github.io/2019/04/25/recipe/" target="_blank" rel="noreferrer">
              a recipe for training networks
            </a>
            , run on your model, data and settings. They find common training problems and suggest fixes.
          </>
        }
      >
        {busy ? (
          <Button icon="stop" onPress={() => void stopGpuTask()}>
            Stop
          </Button>
        ) : (
          <Button verb={VERBS.doctor} kind="primary" obstacle={obstacle} onPress={() => void examine()}>
            {examination ? 'Run checks again' : undefined}
          </Button>
        )}
      </ScreenHead>
      <NoticeStack>
        {error && <FailureNotice title="The checks were interrupted" error={error} />}
      </NoticeStack>
      <p className={styles.verdict} role="status" aria-label="Verdict">
        {verdictOf({ findings, checks: checks.length, busy, started: examination !== undefined })}
        {pausedRun && ' Training is paused and resumes afterwards.'}
      </p>
      {examination && !busy && (
        <p className={`faint ${styles.about}`}>
          {examination.model}, {examination.adapter?.description}, {format.dateAndTime(examination.date)}.{' '}
          {examination.step === undefined
            ? `The checks trained separate networks, ${initialised(examination.config)}.`
            : `Dead ReLUs were counted in your run at step ${examination.step}. All other checks trained separate networks, ${initialised(examination.config)}.`}
        </p>
      )}
      <CheckList
        checks={checks}
        findings={findings}
        checking={busy ? checking : undefined}
        obstacle={busy ? 'Wait until the checks are done.' : undefined}
        onFix={applyFix}
      />
    </>
  );
}
