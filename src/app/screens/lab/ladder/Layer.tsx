import type { ConvSizes, LadderStep } from '../../../../worker/api.ts';
import { TimeBar, TimeTicks } from '../../../charts/bars/TimeBar.tsx';
import { timeAxis } from '../../../charts/bars/time-axis.ts';
import { Panel } from '../../../components/Panel.tsx';
import * as format from '../../../format.ts';
import type { Measurement } from '../batch.ts';
import { describe } from '../sizes.ts';
import styles from './LadderView.module.css';
import { rungsOf } from './rungs.ts';

interface LayerProps {
  name: string;
  sizes: ConvSizes;
  steps: readonly LadderStep[];
  algorithm: string;
  measurement: Measurement | undefined;
}

/** One layer's ladder. */
export function Layer({ name, sizes, steps, algorithm, measurement }: LayerProps) {
  const rungs = rungsOf(steps, algorithm, measurement);
  const axis = timeAxis(
    'log',
    rungs.flatMap(({ time }) => time ?? []),
  );
  const [loops] = rungs;
  const flops = measurement?.problem?.flops ?? 0;
  return (
    <Panel title={name} explanation={describe(sizes)}>
      <div className={styles.axis}>
        <TimeTicks axis={axis} />
      </div>
      <ol className={styles.rungs}>
        {rungs.map(({ title, sentence, algorithm: look, time, launch, missing }, i) => (
          <li key={title}>
            <div className={styles.text}>
              <h3>
                <span className={styles.count} aria-hidden="true">
                  {i}
                </span>
                {title}
              </h3>
              <p>{sentence}</p>
            </div>
            <div className={styles.bar}>
              {time && axis ? (
                <>
                  <TimeBar algorithm={look} axis={axis} time={time} />
                  <p className={styles.numbers}>
                    <b>{format.time(time.median)}</b>
                    {flops > 0 && <span>{format.flopRate((1000 * flops) / time.median)}</span>}
                    {i > 0 && loops.time && (
                      <span>{format.times(loops.time.median / time.median)} as fast as the loops</span>
                    )}
                  </p>
                  {launch !== '' && <p className={styles.launch}>fastest: {launch}</p>}
                </>
              ) : (
                <p className={styles.missing}>{missing}</p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
