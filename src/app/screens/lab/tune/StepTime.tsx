import type { Spread } from '../../../../worker/api.ts';
import { TimeBar } from '../../../charts/bars/TimeBar.tsx';
import { timeAxis } from '../../../charts/bars/time-axis.ts';
import * as format from '../../../format.ts';
import styles from './StepTime.module.css';

interface StepTimeProps {
  step: { before?: Spread; after?: Spread };
  running: boolean;
}

/** What tuning did to a whole training step. */
export function StepTime({ step: { before, after }, running }: StepTimeProps) {
  if (!before && !running) return null;
  const axis = timeAxis(
    'all',
    [before, after].flatMap((one) => one ?? []),
  );
  const row = (title: string, look: string, time: Spread | undefined) => (
    <>
      <dt>{title}</dt>
      <dd>
        {time && axis ? (
          <>
            <TimeBar algorithm={look} axis={axis} time={time} />
            <b>{format.time(time.median)}</b>
          </>
        ) : (
          <span className={styles.none}>{running ? 'not yet' : 'not measured'}</span>
        )}
      </dd>
    </>
  );
  return (
    <section className={styles.step} aria-label="Training step">
      <dl>
        {row('A step, predicted choices', 'before', before)}
        {row('A step, tuned', 'implicit_gemm', after)}
      </dl>
      <p>{before && after ? verdictOf(before, after) : ' '}</p>
    </section>
  );
}

function verdictOf(before: Spread, after: Spread): string {
  const overlap = before.p10 <= after.p90 && after.p10 <= before.p90;
  if (overlap) return 'No difference: the spreads of the two overlap.';
  return after.median < before.median
    ? `Tuning made a training step ${format.times(before.median / after.median)} as fast.`
    : `With what was found a step takes ${format.times(after.median / before.median)} as long: alone and in a step, kernels can differ.`;
}
