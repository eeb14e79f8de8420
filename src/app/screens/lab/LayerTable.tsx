import type { ConvDirection, ConvNumber, ConvSuite } from '../../../worker/api.ts';
import { TimeBar, TimeTicks } from '../../charts/bars/TimeBar.tsx';
import { timeAxis } from '../../charts/bars/time-axis.ts';
import { Button } from '../../widgets/Button.tsx';
import * as format from '../../format.ts';
import { DataTable } from '../../widgets/DataTable.tsx';
import { byProblem, type Measurement } from './batch.ts';
import { Winners } from './Chip.tsx';
import styles from './Tables.module.css';
import { useLab } from './lab-store.ts';
import { raceThis } from './race.ts';
import { describe } from './sizes.ts';
import { firstOf, listing, ranking, unclearOf, wrongOf, type TimedVariant } from './verdict.ts';

interface LayerTableProps {
  suite: ConvSuite;
  N: number;
  direction: ConvDirection;
  number: ConvNumber;
}

/** The layers of a network, each with its fastest algorithm. */
export function LayerTable({ suite, N, direction, number }: LayerTableProps) {
  const batch = useLab((state) => state.batches.suite);
  const measured = byProblem(batch, number);
  const layers = suite.layers.map(({ name, count, sizes }) => ({ name, count, sizes: { ...sizes, N } }));
  const found = layers.map(({ sizes }) => measured(sizes, direction));
  const axis = timeAxis(
    'all',
    found.flatMap((one) => (one ? ranking(one).slice(0, 1) : [])),
  );
  return (
    <>
      <DataTable
        caption={`Layers of ${suite.title}: the fastest algorithm of each in ${direction}`}
        className={styles.layers}
        rows={layers.map((layer, i) => ({ ...layer, measurement: found[i], winner: winnerOf(found[i]) }))}
        keyOf={({ name }) => name}
        row={({ measurement }) => ({ 'data-busy': measurement?.state === 'measuring' || undefined })}
        columns={[
          {
            title: 'Layer',
            render: ({ name, sizes }) => (
              <>
                {name}
                <small>{describe(sizes).replaceAll(' × ', '\u00a0×\u00a0')}</small>
              </>
            ),
          },
          {
            title: 'Fastest',
            span: ({ winner }) => (winner ? 1 : 2),
            render: ({ measurement, winner }) =>
              winner ? (
                <>
                  <Winners algorithms={winner.first} />
                  {winner.wrong.length > 0 && (
                    <small className="error">incorrect: {listing(winner.wrong)}</small>
                  )}
                </>
              ) : (
                <span className="faint">
                  {measurement?.error?.message ??
                    (measurement?.state === 'measuring' ? 'measuring…' : '\u00a0')}
                </span>
              ),
          },
          {
            title: 'Time bar',
            unseen: true,
            wide: true,
            className: styles.bars,
            face: <TimeTicks axis={axis} />,
            render: ({ winner }) =>
              winner && axis && <TimeBar algorithm={winner.time.algorithm} axis={axis} time={winner.time} />,
          },
          { title: 'Median', render: ({ winner }) => winner && <b>{format.time(winner.time.median)}</b> },
          { title: 'Rate', wide: true, render: ({ winner }) => winner && format.flopRate(winner.rate) },
          {
            title: 'Lead',
            wide: true,
            hint: 'Speed-up over the runner-up',
            cell: ({ winner }) => ({ title: winner?.next && `over ${winner.next.algorithm}` }),
            render: ({ winner }) =>
              winner?.unclear ? (
                <span className="fine">too noisy</span>
              ) : winner?.next ? (
                format.times(winner.next.median / winner.time.median)
              ) : (
                winner && '–'
              ),
          },
          {
            title: 'Race',
            unseen: true,
            className: styles.buttons,
            render: ({ name, sizes }) => (
              <Button
                kind="quiet"
                icon="flag"
                title={`Race ${name} separately`}
                onPress={() => raceThis(sizes, direction, number)}
              >
                Race
              </Button>
            ),
          },
        ]}
      />
      <Totals measurements={found} counts={layers.map(({ count }) => count)} />
    </>
  );
}

/** The fastest of a layer, with what is known of its lead; undefined until there is one. */
function winnerOf(measurement: Measurement | undefined) {
  const ranked = measurement ? ranking(measurement) : [];
  const [time] = ranked;
  if (!measurement || measurement.state === 'waiting' || !time) return undefined;
  const first = measurement.found ? firstOf(measurement).map(({ algorithm }) => algorithm) : [time.algorithm];
  return {
    time,
    first,
    next: ranked.find(({ algorithm }) => !first.includes(algorithm)),
    unclear: unclearOf(measurement).length > 0,
    wrong: [...new Set(wrongOf(measurement).map(({ algorithm }) => algorithm))],
    rate: (1000 * (measurement.problem?.flops ?? 0)) / time.median,
  };
}

/** The network with the fastest algorithm per layer against one algorithm for all, once everything is measured. */
function Totals({
  measurements,
  counts,
}: {
  measurements: readonly (Measurement | undefined)[];
  /** How many layers of the network each measurement stands for. */
  counts: readonly number[];
}) {
  const fallback = useLab((state) => state.catalogue?.defaultAlgorithm ?? '');
  const rankings = measurements.flatMap((one) => (one?.found ? [ranking(one)] : []));
  if (rankings.length < counts.length || rankings.some((ranked) => ranked.length === 0)) {
    return <p>{'\u00a0'}</p>;
  }
  const sum = (of: (ranked: TimedVariant[]) => number) =>
    rankings.reduce((total, ranked, i) => total + counts[i] * of(ranked), 0);
  const best = sum(([winner]) => winner.median);
  const single = sum((ranked) => ranked.find(({ algorithm }) => algorithm === fallback)?.median ?? NaN);
  const layers = counts.reduce((total, count) => total + count, 0);
  return (
    <p>
      All {layers} layers with the fastest algorithm each: <b>{format.time(best)}</b>.
      {Number.isFinite(single) && (
        <>
          {' '}
          With {fallback} only: {format.time(single)}, {format.times(single / best)} as long.
        </>
      )}
    </p>
  );
}
