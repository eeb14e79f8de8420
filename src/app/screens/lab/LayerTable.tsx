import type { ConvDirection, ConvNumber, ConvSizes, ConvSuite } from '../../../worker/api.ts';
import { TimeBar, TimeTicks } from '../../charts/bars/TimeBar.tsx';
import { timeAxis, type TimeAxis } from '../../charts/bars/time-axis.ts';
import { Button } from '../../widgets/Button.tsx';
import * as format from '../../format.ts';
import { DataTable, type TableColumn } from '../../widgets/DataTable.tsx';
import { byProblem, type Measurement } from './batch.ts';
import { IncorrectLanes, Winners } from './Chip.tsx';
import styles from './Tables.module.css';
import { useLab } from './lab-store.ts';
import { raceThis } from './race.ts';
import { describe } from './sizes.ts';
import { missingOutcome } from './tuning.ts';
import { namesOf, ranking, standingOf, type RaceStanding, type TimedVariant } from './verdict.ts';

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
  const rows = suite.layers.map(({ name, count, ...layer }) => {
    const sizes = { ...layer.sizes, N };
    const measurement = measured(sizes, direction);
    return { name, count, sizes, measurement, standing: standingOf(measurement) };
  });
  const axis = timeAxis(
    'all',
    rows.flatMap(({ standing }) => standing?.winner ?? []),
  );
  return (
    <>
      <DataTable
        stacked
        caption={`Layers of ${suite.title}: the fastest algorithm of each in ${direction}`}
        className={styles.layers}
        rows={rows}
        keyOf={({ name }) => name}
        row={({ measurement }) => ({ 'data-busy': measurement?.state === 'measuring' || undefined })}
        columns={[
          ...columnsOf(axis),
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
      <Totals
        measurements={rows.map(({ measurement }) => measurement)}
        counts={rows.map(({ count }) => count)}
      />
    </>
  );
}

interface LayerRow {
  name: string;
  sizes: ConvSizes;
  measurement: Measurement | undefined;
  standing: RaceStanding | undefined;
}

const columnsOf = (axis: TimeAxis | undefined): readonly TableColumn<LayerRow>[] => [
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
    span: ({ standing }) => (standing ? 1 : 2),
    render: ({ measurement, standing }) =>
      measurement && standing ? (
        <>
          <Winners algorithms={namesOf(standing.first)} />
          <IncorrectLanes measurement={measurement} />
        </>
      ) : (
        <span className="faint">{measurement ? missingOutcome(measurement) : '\u00a0'}</span>
      ),
  },
  {
    title: 'Time bar',
    unseen: true,
    wide: true,
    className: styles.bars,
    face: <TimeTicks axis={axis} />,
    render: ({ standing }) =>
      standing &&
      axis && <TimeBar algorithm={standing.winner.algorithm} axis={axis} time={standing.winner} />,
  },
  { title: 'Median', render: ({ standing }) => standing && <b>{format.time(standing.winner.median)}</b> },
  {
    title: 'Rate',
    render: ({ measurement, standing }) =>
      standing && format.flopRate((1000 * (measurement?.problem?.flops ?? 0)) / standing.winner.median),
  },
  {
    title: 'Lead',
    hint: 'Speed-up over the runner-up',
    cell: ({ standing }) => ({ title: standing?.next && `over ${standing.next.algorithm}` }),
    render: ({ standing }) =>
      standing && standing.unclear.length > 0 ? (
        <span className="fine">too noisy</span>
      ) : standing?.next ? (
        format.times(standing.lead)
      ) : (
        standing && '–'
      ),
  },
];

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
