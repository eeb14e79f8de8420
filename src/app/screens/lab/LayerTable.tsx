import type { ConvDirection, ConvNumber, ConvSuite } from '../../../worker/api.ts';
import { TimeBar, TimeTicks } from '../../charts/bars/TimeBar.tsx';
import { timeAxis } from '../../charts/bars/time-axis.ts';
import { Button } from '../../widgets/Button.tsx';
import * as format from '../../format.ts';
import { Heads } from '../../widgets/Heads.tsx';
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
      <div className={styles.scroll}>
        <table className={styles.layers}>
          <caption className="unseen">
            Layers of {suite.title}: the fastest algorithm of each in {direction}
          </caption>
          <Heads
            of={[
              'Layer',
              'Fastest',
              {
                name: 'Time bar',
                unseen: true,
                className: `wide-only ${styles.bars}`,
                children: <TimeTicks axis={axis} />,
              },
              'Median',
              { name: 'Rate', className: 'wide-only' },
              { name: 'Lead', className: 'wide-only', title: 'Speed-up over the runner-up' },
              { name: 'Race', unseen: true },
            ]}
          />
          <tbody>
            {layers.map(({ name, sizes }, i) => (
              <tr key={name} data-busy={found[i]?.state === 'measuring' || undefined}>
                <th scope="row">
                  {name}
                  <small>{describe(sizes).replaceAll(' × ', '\u00a0×\u00a0')}</small>
                </th>
                <Winner measurement={found[i]} axis={axis} />
                <td className={styles.buttons}>
                  <Button
                    kind="quiet"
                    icon="flag"
                    title={`Race ${name} separately`}
                    onPress={() => raceThis(sizes, direction, number)}
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
    const text = measurement?.error?.message ?? (measurement?.state === 'measuring' ? 'measuring…' : '');
    return (
      <>
        <td colSpan={2} className="faint">
          {text}
        </td>
        <td colSpan={3} className="wide-only">
          {'\u00a0'}
        </td>
      </>
    );
  }
  const first = measurement.found
    ? firstOf(measurement).map(({ algorithm }) => algorithm)
    : [winner.algorithm];
  const unclear = unclearOf(measurement).length > 0;
  const next = ranked.find(({ algorithm }) => !first.includes(algorithm));
  const wrong = new Set(wrongOf(measurement).map(({ algorithm }) => algorithm));
  const flops = measurement.problem?.flops ?? 0;
  return (
    <>
      <td>
        <Winners algorithms={first} />
        {wrong.size > 0 && <small className="error">incorrect: {listing([...wrong])}</small>}
      </td>
      <td className={`wide-only ${styles.bars}`}>
        <TimeBar algorithm={winner.algorithm} axis={axis} time={winner} />
      </td>
      <td>
        <b>{format.time(winner.median)}</b>
      </td>
      <td className="wide-only">{format.flopRate((1000 * flops) / winner.median)}</td>
      <td className="wide-only" title={next && `over ${next.algorithm}`}>
        {unclear ? (
          <span className="fine">too noisy</span>
        ) : next ? (
          format.times(next.median / winner.median)
        ) : (
          '–'
        )}
      </td>
    </>
  );
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
