import * as format from '../../format.ts';
import { ResultFooter } from '../../components/ResultFooter.tsx';
import { isRunning } from './batch.ts';
import styles from './Lab.module.css';
import type { MeasuredBatch } from './lab-store.ts';
import { csvReport, jsonReport, METHOD } from './report.ts';
import { isTimed } from './verdict.ts';

interface LabFooterProps {
  /** Part of the files' names: "race". */
  kind: string;
  batch: MeasuredBatch;
  title: string;
}

/** Below every result of the Lab. */
export function LabFooter({ kind, batch, title }: LabFooterProps) {
  const browser = navigator.userAgent;
  return (
    <ResultFooter
      kind={kind}
      date={batch.date}
      rows="One row per kernel variant"
      linked="these settings"
      obstacle={isRunning(batch) ? 'Wait until the measurement finishes.' : undefined}
      json={() => jsonReport(batch, { title, link: location.href, browser })}
      csv={() => csvReport(batch, { browser })}
    >
      <Method batch={batch} />
    </ResultFooter>
  );
}

function Method({ batch: { adapter, date, measurements } }: { batch: MeasuredBatch }) {
  const timed = measurements.flatMap(({ tried }) => tried.filter(isTimed));
  const clocks = new Set(timed.map(({ clock }) => clock));
  const samples = range(timed.map((one) => one.samples));
  const calls = range(timed.map((one) => one.repetitions));
  return (
    <div className={`fine numbers ${styles.method}`}>
      <p>
        <b>{adapter?.description ?? 'Unknown adapter'}</b>
        {' · '}
        {format.dateAndTime(date)}
        {timed.length > 0 && ` · ${samples} samples of ${calls} ${calls === '1' ? 'call' : 'calls'}`}
        {clocks.has('timestamps') && (adapter?.cpu ? ' · timed on the CPU' : ' · GPU timestamps')}
        {clocks.has('wall') && ' · wall-clock timing, includes the round trip to the GPU'}
      </p>
      {adapter?.software && <p>This is a software renderer; the ranking says nothing about real GPUs.</p>}
      <details>
        <summary>How this was measured</summary>
        <ul>
          {METHOD.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </details>
    </div>
  );
}

function range(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? format.count(least) : `${format.count(least)} to ${format.count(most)}`;
}
