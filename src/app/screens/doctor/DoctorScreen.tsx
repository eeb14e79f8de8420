import * as format from '../../format.ts';
import { useEffect, useState } from 'react';
import type { Examination, RunConfig } from '../../../worker/api.ts';
import { stopGpuTask } from '../../actions/actions.ts';
import { Button } from '../../widgets/Button.tsx';
import { FailureNotice, NoticeStack } from '../../widgets/Notice.tsx';
import { Resumes } from '../../components/Resumes.tsx';
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

/** The one thing to do first. */
function Recommended({ text, fix }: NonNullable<Examination['recommendation']>) {
  const [applied, setApplied] = useState(false);
  return (
    <div className={`row ${styles.recommended}`}>
      <p>{format.prose(text)}</p>
      {fix && (
        <Button
          icon="check"
          kind="primary"
          onPress={() => {
            applyFix(fix);
            setApplied(true);
          }}
        >
          {fix.title}
        </Button>
      )}
      {applied && <span className="soft">Done. Run the checks again to see what it changes.</span>}
    </div>
  );
}

/** Checks for common training problems, run one after the other. */
export function DoctorScreen() {
  useEffect(() => void loadChecks(), []);
  const { checks, examination, error, busy, checking } = useDoctor();
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
      <div role="status" aria-label="Recommendation">
        {examination?.recommendation && !busy && (
          <Recommended key={examination.date.getTime()} {...examination.recommendation} />
        )}
      </div>
      <p className={styles.verdict} role="status" aria-label="Verdict">
        {verdictOf({ findings, checks: checks.length, busy, started: examination !== undefined })}
        {busy && (
          <>
            {' '}
            <Resumes />
          </>
        )}
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
        // Until all is known, advice might contradict itself.
        instead={(busy ? undefined : examination?.recommendation?.instead) ?? checks.map(({ name }) => name)}
      />
    </>
  );
}
