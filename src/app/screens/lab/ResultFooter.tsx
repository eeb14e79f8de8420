import { useState } from 'react';
import { copyText } from '../../clipboard.ts';
import { Button } from '../../components/Button.tsx';
import { isRunning } from './batch.ts';
import styles from './Lab.module.css';
import type { Measured } from './lab-store.ts';
import { csvReport, download, fileName, jsonReport, METHOD } from './report.ts';
import { isTimed } from './verdict.ts';

interface ResultFooterProps {
  /** Part of the file's name: "race". */
  kind: string;
  batch: Measured;
  title: string;
}

/** Below every result: where and how it was measured, the result as a file, and a link that reopens it. */
export const ResultFooter = (props: ResultFooterProps) => (
  <>
    <Method batch={props.batch} />
    <Downloads {...props} />
  </>
);

function Method({ batch: { adapter, date, measurements } }: { batch: Measured }) {
  const timed = measurements.flatMap(({ tried }) => tried.filter(isTimed));
  const clocks = new Set(timed.map(({ clock }) => clock));
  const samples = range(timed.map((one) => one.samples));
  const calls = range(timed.map((one) => one.repetitions));
  return (
    <div className={styles.method}>
      <p>
        <b>{adapter?.description ?? 'Unknown adapter'}</b>
        {' · '}
        {date.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}
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
  return least === most ? String(least) : `${least} to ${most}`;
}

function Downloads({ kind, batch, title }: ResultFooterProps) {
  const [copied, setCopied] = useState('');
  const obstacle = isRunning(batch) ? 'Wait until the measurement finishes.' : undefined;
  const browser = navigator.userAgent;
  const name = fileName(kind, batch.date);
  const json = () => jsonReport(batch, { title, link: location.href, browser });
  const copy = async () =>
    setCopied((await copyText(location.href)) ? 'Copied.' : 'Could not copy. Use the address bar instead.');
  return (
    <div className={`row ${styles.small}`}>
      <Button
        icon="download"
        obstacle={obstacle}
        title="All results, with device, browser, method and date"
        onPress={() => download(`${name}.json`, 'application/json', json())}
      >
        JSON
      </Button>
      <Button
        icon="download"
        obstacle={obstacle}
        title="One row per kernel variant"
        onPress={() => download(`${name}.csv`, 'text/csv', csvReport(batch, { browser }))}
      >
        CSV
      </Button>
      <Button icon="link" title="Copy a link to these settings" onPress={() => void copy()}>
        Copy link
      </Button>
      <span role="status" className="faint">
        {copied}
      </span>
    </div>
  );
}
