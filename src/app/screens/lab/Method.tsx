import type { Measured } from './lab-store.ts';
import styles from './Method.module.css';
import { METHOD } from './report.ts';
import { isTimed } from './verdict.ts';

/** How the numbers came about, and on what: always beside them. */
export function Method({ batch }: { batch: Measured }) {
  const { adapter, date, measurements } = batch;
  const timed = measurements.flatMap(({ tried }) => tried.filter(isTimed));
  const clocks = new Set(timed.map(({ clock }) => clock));
  const range = (values: readonly number[]): string => {
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return least === most ? String(least) : `${least} to ${most}`;
  };
  const counts =
    timed.length > 0 &&
    `${range(timed.map(({ samples }) => samples))} samples of ${range(timed.map(({ repetitions }) => repetitions))} calls`;
  return (
    <div className={styles.method}>
      <p>
        <b>{adapter?.description ?? 'Unknown adapter'}</b>
        {' · '}
        {date.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}
        {counts && ` · ${counts}`}
        {clocks.has('timestamps') && ' · timed by the GPU’s own timestamps'}
        {clocks.has('wall') && ' · timed by the wall clock: the way to the GPU and back is in it'}
      </p>
      {adapter?.software && (
        <p>This adapter is a program on the processor: the ranking says nothing about real GPUs.</p>
      )}
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
