import type { Average, ConvDirection, ConvNumber, ConvSizes, ConvSuite } from '../../../worker/api.ts';
import { TimeBar, TimeTicks } from '../../charts/bars/TimeBar.tsx';
import { timeAxis } from '../../charts/bars/time-axis.ts';
import { Button } from '../../widgets/Button.tsx';
import * as format from '../../format.ts';
import { byProblem, isRunning, jointState, type Measurement } from './batch.ts';
import { Chip } from './Chip.tsx';
import { DIRECTIONS } from './sizes.ts';
import styles from './Lab.module.css';
import { useLab } from './lab-store.ts';
import { Legend } from './Legend.tsx';
import { raceThis } from './race.ts';
import { byTime } from './verdict.ts';

interface CaseGridProps {
  suite: ConvSuite;
  calls: number;
  number: ConvNumber;
}

/** A mean time by algorithm. */
interface Mean {
  algorithm: string;
  /** The mean: bars are drawn from this field. */
  median: number;
  p10: number;
  p90: number;
  calls: number;
}

/** Small cases side by side: N from top to bottom, K from left to right, each with bars forward and backward. */
export function CaseGrid({ suite, calls, number }: CaseGridProps) {
  const batch = useLab((state) => state.batches.suite);
  const measured = byProblem(batch, number);
  const shown = new Set(batch?.measurements.flatMap((one) => one.averages.map(({ algorithm }) => algorithm)));
  const columns = new Set(suite.layers.map(({ sizes }) => sizes.K)).size;
  return (
    <>
      <p className="faint">
        Each case is three races: fprop, dgrad and wgrad. Backward is dgrad plus wgrad, by the same algorithm.
        As in the study, bars are means over {calls} consecutive calls, fewer if a call takes long; Race shows
        medians. Each group has its own scale, from zero.
      </p>
      <Legend algorithms={shown} />
      <ul
        className={styles.cases}
        data-running={isRunning(batch) || undefined}
        style={{ '--columns': columns } as React.CSSProperties}
      >
        {suite.layers.map(({ name, sizes }) => (
          <li key={name} className={styles.case}>
            <div className="spread compact">
              <h3>{name}</h3>
              <Button
                kind="quiet"
                icon="flag"
                title={`Race ${name} separately`}
                onPress={() => raceThis(sizes, 'fprop', number)}
              >
                Race
              </Button>
            </div>
            <Case sizes={sizes} measured={measured} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface CaseProps {
  sizes: ConvSizes;
  measured(sizes: ConvSizes, direction: ConvDirection): Measurement | undefined;
}

function Case({ sizes, measured }: CaseProps) {
  const [fprop, dgrad, wgrad] = DIRECTIONS.map((one) => measured(sizes, one));
  return (
    <>
      <Group title="fprop" means={meansOf(fprop)} state={fprop?.state} />
      <Group
        title="backward"
        means={backward(meansOf(dgrad), meansOf(wgrad))}
        state={jointState([dgrad, wgrad])}
      />
    </>
  );
}

function Group({
  title,
  means,
  state,
}: {
  title: string;
  means: readonly Mean[];
  state: Measurement['state'] | undefined;
}) {
  const axis = timeAxis('near', means);
  return (
    <div className={styles.group}>
      <h4 className="fine">{title}</h4>
      {means.length === 0 || !axis ? (
        <p className="fine">
          {state === undefined || state === 'waiting'
            ? 'not measured'
            : state === 'measuring'
              ? 'measuring…'
              : 'no result'}
        </p>
      ) : (
        <ul>
          <li className={styles.scale} aria-hidden="true">
            <TimeTicks axis={axis} />
          </li>
          {means.map((mean, i) => (
            <li
              key={mean.algorithm}
              data-first={i === 0 || undefined}
              title={`${mean.algorithm}: mean of ${mean.calls} calls`}
            >
              <span className="unseen">{mean.algorithm}</span>
              <Chip algorithm={mean.algorithm} bare />
              <TimeBar algorithm={mean.algorithm} axis={axis} time={mean} thin />
              <span>{format.time(mean.median)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const meanOf = ({ algorithm, mean: median, p10, p90, calls }: Average): Mean => ({
  algorithm,
  median,
  p10,
  p90,
  calls,
});

const meansOf = (measurement: Measurement | undefined): Mean[] =>
  (measurement?.averages ?? []).map(meanOf).sort(byTime);

/** Both directions together, for algorithms that support both. */
function backward(dgrad: readonly Mean[], wgrad: readonly Mean[]): Mean[] {
  const both = dgrad.flatMap((one) => {
    const other = wgrad.find(({ algorithm }) => algorithm === one.algorithm);
    if (!other) return [];
    return [
      {
        algorithm: one.algorithm,
        median: one.median + other.median,
        p10: one.p10 + other.p10,
        p90: one.p90 + other.p90,
        calls: Math.min(one.calls, other.calls),
      },
    ];
  });
  return both.sort(byTime);
}
