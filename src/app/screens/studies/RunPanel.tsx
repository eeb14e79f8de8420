import { useState } from 'react';
import type { StudyInfo, StudyResult } from '../../../worker/api.ts';
import { stopGpuTask } from '../../actions/actions.ts';
import { obstacleToDevice } from '../../actions/start.ts';
import { Button } from '../../widgets/Button.tsx';
import { Choice } from '../../widgets/Choice.tsx';
import { FailureNotice, NoticeStack } from '../../widgets/Notice.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { ResultFooter } from '../../components/ResultFooter.tsx';
import * as format from '../../format.ts';
import { isSlow } from '../../state/device.ts';
import { useApp } from '../../state/store.ts';
import { VERBS } from '../verbs.ts';
import { csvReport, jsonReport } from './report.ts';
import styles from './Studies.module.css';
import { runHere, type MeasuredStudy } from './studies-store.ts';

interface RunPanelProps {
  study: StudyInfo;
  measured: MeasuredStudy | undefined;
  /** Another machine's result. */
  other: StudyResult | undefined;
}

/** Starts a study, shows how far it is, and keeps its result as files. */
export function RunPanel({ study, measured, other }: RunPanelProps) {
  const slow = useApp(isSlow);
  const [wanted, choose] = useState<'small' | 'full'>();
  const size = wanted ?? (slow ? 'small' : 'full');
  const running = measured?.state === 'running';
  const obstacle = useApp(obstacleToDevice);
  const browser = navigator.userAgent;
  return (
    <Panel title="On this machine">
      <div className="stack">
        <div className="row">
          {running ? (
            <Button icon="stop" onPress={() => void stopGpuTask()}>
              Stop
            </Button>
          ) : (
            <Button
              verb={VERBS.study}
              kind="primary"
              obstacle={obstacle}
              onPress={() => void runHere(study, size === 'small')}
            >
              {measured ? 'Run again' : undefined}
            </Button>
          )}
          <Choice
            label="Size of the study"
            value={size}
            options={{ small: 'Short', full: 'Full' }}
            obstacle={running ? 'Wait until the study finishes, or stop it.' : undefined}
            onChange={choose}
          />
        </div>
        <p className="faint">
          {size === 'small' ? 'Short' : 'Full'}: {format.prose(study.sizes[size])}. Training pauses until it
          is done.
        </p>
        {measured && <Progress measured={measured} />}
        {measured?.error && (
          <NoticeStack>
            <FailureNotice title="The study could not be finished" error={measured.error} />
          </NoticeStack>
        )}
        {measured && (
          <ResultFooter
            kind={study.name}
            date={measured.date}
            rows="One row per bar, and one per cell of a table"
            linked="this study"
            obstacle={running ? 'Wait until the study finishes.' : undefined}
            json={() => jsonReport(study, measured, { link: location.href, browser })}
            csv={() => csvReport(study, measured, { browser })}
          />
        )}
        {other && (
          <p className="faint">
            Compared with: {other.adapter}, {format.date(new Date(other.date))}, {other.runtime}
            {other.complete ? '' : ', stopped before its end'}.
          </p>
        )}
        <Method study={study} />
      </div>
    </Panel>
  );
}

const Method = ({ study: { name, method } }: { study: StudyInfo }) => (
  <details className="soft">
    <summary>How this is measured</summary>
    <ul className={styles.method}>
      {method.map((sentence) => (
        <li key={sentence}>{format.prose(sentence)}</li>
      ))}
      <li>
        The same from the command line: <code>npm run -s wgrad -- study {name}</code>
      </li>
    </ul>
  </details>
);

function Progress({ measured }: { measured: MeasuredStudy }) {
  const { state, share, doing, adapter, date, seconds, small } = measured;
  const device = adapter?.description ?? 'Unknown adapter';
  if (state === 'running') {
    return (
      <div className={styles.progress}>
        <p className="soft">{doing}…</p>
        <progress value={share} max={1} aria-label="Progress of the study" />
      </div>
    );
  }
  const ending = {
    done: `${small ? 'Short' : 'Full'} run in ${format.seconds(seconds)}`,
    stopped: 'Stopped before the end',
    failed: 'Failed',
  }[state];
  return (
    <p className="soft">
      <b>{device}</b> · {format.dateAndTime(date)} · {ending}
      {adapter?.software && ' · a software renderer: the ranking does not apply to GPUs'}
    </p>
  );
}
