import type { ConvDirection, ConvSuite } from '../../../../worker/api.ts';
import { TimeBar, TimeTicks } from '../../../charts/bars/TimeBar.tsx';
import { timeAxis } from '../../../charts/bars/time-axis.ts';
import { Button } from '../../../components/Button.tsx';
import * as format from '../../../format.ts';
import type { Measurement } from '../batch.ts';
import { useByRequest } from '../by-request.ts';
import { Winners } from '../Chip.tsx';
import { useLab } from '../lab-store.ts';
import { raceThis } from '../race/start.ts';
import { describe } from '../sizes.ts';
import { firstOf, listing, ranking, wrongOf, type Timed } from '../verdict.ts';
import styles from './LayerTable.module.css';

interface LayerTableProps {
  suite: ConvSuite;
  N: number;
  direction: ConvDirection;
}

/** The layers of a network, each with its winner. */
export function LayerTable({ suite, N, direction }: LayerTableProps) {
  const batch = useLab((state) => state.batches.suite);
  const measured = useByRequest(batch);
  const layers = suite.layers.map(({ name, count, sizes }) => ({ name, count, sizes: { ...sizes, N } }));
  const found = layers.map(({ sizes }) => measured(sizes, direction));
  const axis = timeAxis(
    'all',
    found.flatMap((one) => (one ? ranking(one).slice(0, 1) : [])),
  );
  return (
    <>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <caption className="unseen">
            Layers of {suite.title}: the fastest algorithm of each in {direction}
          </caption>
          <thead>
            <tr>
              <th scope="col">Layer</th>
              <th scope="col">Winner</th>
              <th scope="col" className={styles.bars}>
                <span className="unseen">Bar of the time</span>
                <TimeTicks axis={axis} />
              </th>
              <th scope="col">Median</th>
              <th scope="col" className={styles.wide}>
                Rate
              </th>
              <th scope="col" className={styles.wide} title="How much slower the next algorithm is">
                Lead
              </th>
              <th scope="col">
                <span className="unseen">Race</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {layers.map(({ name, sizes }, i) => (
              <tr key={name} data-busy={found[i]?.state === 'measuring' || undefined}>
                <th scope="row">
                  {name}
                  <span className={styles.sizes}>{describe(sizes)}</span>
                </th>
                <Winner measurement={found[i]} axis={axis} />
                <td className={styles.race}>
                  <Button
                    kind="quiet"
                    icon="flag"
                    title={`Race ${name} by itself`}
                    onPress={() => raceThis(sizes, direction)}
                  >
                    Race
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Totals measurements={found} counts={layers.map(({ count }) => count)} />
    </>
  );
}

function Winner({
  measurement,
  axis,
}: {
  measurement: Measurement | undefined;
  axis: ReturnType<typeof timeAxis>;
}) {
  const ranked = measurement ? ranking(measurement) : [];
  const [winner] = ranked;
  if (!measurement || measurement.state === 'waiting' || !winner || !axis) {
    const text = measurement?.error?.message ?? (measurement?.state === 'measuring' ? 'being measured…' : '');
    return (
      <td colSpan={5} className={styles.none}>
        {text}
      </td>
    );
  }
  const first = measurement.found
    ? firstOf(measurement).map(({ algorithm }) => algorithm)
    : [winner.algorithm];
  const next = ranked.find(({ algorithm }) => !first.includes(algorithm));
  const wrong = new Set(wrongOf(measurement).map(({ algorithm }) => algorithm));
  const flops = measurement.problem?.flops ?? 0;
  return (
    <>
      <td className={styles.winner}>
        <Winners algorithms={first} />
        {wrong.size > 0 && <span className={styles.wrong}>wrong: {listing([...wrong])}</span>}
      </td>
      <td className={styles.bars}>
        <TimeBar algorithm={winner.algorithm} axis={axis} time={winner} />
      </td>
      <td className={styles.time}>{format.time(winner.median)}</td>
      <td className={styles.wide}>{format.flopRate((1000 * flops) / winner.median)}</td>
      <td className={styles.wide} title={next && `over ${next.algorithm}`}>
        {next ? format.times(next.median / winner.median) : '–'}
      </td>
    </>
  );
}

/** What choosing by measurement brings over one algorithm for all, once everything is measured. */
function Totals({
  measurements,
  counts,
}: {
  measurements: readonly (Measurement | undefined)[];
  /** How many layers of the network each stands for. */
  counts: readonly number[];
}) {
  const fallback = useLab((state) => state.catalogue?.defaultAlgorithm ?? '');
  const rankings = measurements.flatMap((one) => (one?.found ? [ranking(one)] : []));
  if (rankings.length < counts.length || rankings.some((ranked) => ranked.length === 0)) {
    return <p className={styles.totals}> </p>;
  }
  const sum = (of: (ranked: Timed[]) => number) =>
    rankings.reduce((total, ranked, i) => total + counts[i] * of(ranked), 0);
  const best = sum(([winner]) => winner.median);
  const single = sum((ranked) => ranked.find(({ algorithm }) => algorithm === fallback)?.median ?? NaN);
  const layers = counts.reduce((total, count) => total + count, 0);
  return (
    <p className={styles.totals}>
      All {layers} layers with the fastest each: <b>{format.time(best)}</b>.
      {Number.isFinite(single) && (
        <>
          {' '}
          With {fallback} throughout: {format.time(single)}, {format.times(single / best)} as long.
        </>
      )}
    </p>
  );
}
