import { useState, type ReactNode } from 'react';
import type { ConvChoice, Tried } from '../../../worker/api.ts';
import { TimeBar, TimeTicks } from '../../charts/bars/TimeBar.tsx';
import type { TimeAxis } from '../../charts/bars/time-axis.ts';
import { DataTable } from '../../widgets/DataTable.tsx';
import { Icon } from '../../widgets/Icon.tsx';
import { variantName } from '../../components/variant-name.ts';
import * as format from '../../format.ts';
import type { Measurement } from './batch.ts';
import { Chip } from './Chip.tsx';
import styles from './Tables.module.css';
import { cpuLane } from './cpu-lane.ts';
import { absences, comparisonsOf, differenceOf, type RaceLane, unclearOf } from './verdict.ts';

interface RaceTableProps {
  measurement: Measurement;
  lanes: readonly RaceLane[];
  axis: TimeAxis | undefined;
  running: boolean;
  onRead(choice: ConvChoice): void;
  /** Buttons for a variant, in a column of their own; on a phone, in a line of their own. */
  more?(choice: ConvChoice): ReactNode;
}

/** What a row shows: an algorithm, or one variant of an algorithm whose row is open. */
interface Racer {
  name: string;
  algorithm: string;
  tried: Tried | undefined;
  /** Its variants, if the row is that of the algorithm. */
  lane?: RaceLane;
  /** Whether it may still be measured. */
  waiting: boolean;
  /** Whether its WGSL can be edited. */
  editable: boolean;
}

/** What a cell that is empty says to screen readers. */
const NONE = <span className="unseen">none</span>;

/** A bar for each algorithm: its fastest variant, or all of them where its row is open. */
export function RaceTable({ measurement, lanes, axis, running, onRead, more }: RaceTableProps) {
  const [open, toggle] = useOpenRows();
  const flops = measurement.problem?.flops ?? 0;
  const fastest = Math.min(...lanes.map(({ best }) => best?.median ?? Infinity));
  const { direction, number } = measurement.request;
  const cpu = cpuLane(measurement);
  const comparisons = comparisonsOf(measurement);
  const decided = unclearOf(measurement).length === 0;
  const waiting = running && measurement.state === 'measuring';
  const rows = lanes.flatMap((lane): Racer[] => {
    const { name, algorithm, best, launches } = lane;
    const variant = { name, algorithm, editable: true };
    return [
      { ...variant, tried: best ?? launches[0], lane, waiting },
      ...(open.has(name) ? launches.map((tried) => ({ ...variant, tried, waiting: false })) : []),
    ];
  });
  if (cpu && (running || measurement.cpu))
    rows.push({ ...cpu, tried: cpu.launches[0], lane: cpu, waiting: running, editable: false });
  const timeOf = ({ tried }: Racer) => (tried?.outcome === 'timed' && axis ? tried : undefined);
  const wideNumber = { number: true, wide: true };
  return (
    <DataTable
      caption={`${direction} in ${number}: time of each algorithm`}
      className={styles.lanes}
      table={{ 'data-more': more !== undefined || undefined }}
      rows={rows}
      keyOf={({ name, tried, lane }) => (lane ? name : `${name} ${tried?.launch}`)}
      row={({ lane, editable }) => ({
        className: lane ? undefined : styles.variant,
        'data-first': (editable && lane?.first && decided) || undefined,
      })}
      columns={[
        {
          title: 'Algorithm',
          render: ({ name, tried, lane, editable }) =>
            !lane ? (
              <VariantName tried={tried} flops={flops} />
            ) : !editable ? (
              <>
                <Chip algorithm={lane.algorithm} />
                <small>{tried ? variantName(tried.launch) : '\u00a0'}</small>
              </>
            ) : (
              <LaneName
                lane={lane}
                shown={tried}
                opened={open.has(name)}
                first={lane.first && decided}
                comparison={comparisons.find(({ yours }) => yours === lane.best)}
                onToggle={() => toggle(name)}
              />
            ),
        },
        {
          title: 'Time bar',
          unseen: true,
          className: styles.bars,
          face: <TimeTicks axis={axis} />,
          span: (racer) => (timeOf(racer) ? 1 : 2),
          render(racer) {
            const time = timeOf(racer);
            return time && axis ? (
              <TimeBar algorithm={racer.algorithm} axis={axis} time={time} thin={!racer.lane} />
            ) : (
              <Untimed {...racer} />
            );
          },
        },
        {
          title: 'Median',
          number: true,
          render: (racer) => <b>{format.time(timeOf(racer)?.median ?? NaN)}</b>,
        },
        {
          ...wideNumber,
          title: 'vs fastest',
          span: (racer) => (timeOf(racer) ? 1 : 3),
          render(racer) {
            const time = timeOf(racer);
            return time ? format.times(time.median / fastest) : NONE;
          },
        },
        {
          ...wideNumber,
          title: 'Rate',
          hint: 'Direct-convolution FLOPs divided by time',
          render: (racer) => format.flopRate((1000 * flops) / (timeOf(racer)?.median ?? NaN)),
        },
        {
          ...wideNumber,
          title: 'Workspace',
          hint: 'Scratch memory',
          render: (racer) => format.memory(timeOf(racer)?.workspaceBytes ?? NaN),
        },
        {
          ...wideNumber,
          title: 'Error',
          hint: 'Maximum error against float64, relative to the largest value',
          render({ tried }) {
            if (tried?.outcome !== 'timed' && tried?.outcome !== 'wrong') return undefined;
            return tried.error === null ? 'not finite' : format.relativeError(tried.error);
          },
        },
        {
          title: 'Code',
          unseen: true,
          className: styles.buttons,
          render: ({ name, algorithm, tried, editable }) =>
            tried && editable ? (
              <button
                type="button"
                className={styles.code}
                title={`Read and edit the WGSL of ${algorithm}, “${variantName(tried.launch)}”`}
                aria-label={`WGSL of ${name}, ${variantName(tried.launch)}`}
                onClick={() => onRead({ algorithm, launch: tried.launch })}
              >
                <Icon name="code" />
              </button>
            ) : (
              NONE
            ),
        },
        more && {
          title: 'More',
          unseen: true,
          className: styles.buttons,
          render: ({ tried, editable }) => (editable ? tried && more(tried) : NONE),
        },
      ]}
    />
  );
}

interface LaneNameProps {
  lane: RaceLane;
  shown: Tried | undefined;
  opened: boolean;
  /** Whether it is the fastest beyond doubt. */
  first: boolean;
  comparison: Parameters<typeof differenceOf>[0] | undefined;
  onToggle(): void;
}

/** An algorithm, with the button that shows its variants. */
const LaneName = ({ lane, shown, opened, first, comparison, onToggle }: LaneNameProps) => (
  <>
    <button
      type="button"
      className={`bare ${styles.toggle}`}
      aria-expanded={opened}
      disabled={lane.launches.length === 0}
      onClick={onToggle}
    >
      <Chip algorithm={lane.algorithm} name={lane.name} />
      {lane.launches.length > 0 && <Icon name="chevron" />}
      {first && <Icon name="check" />}
    </button>
    <small>
      {shown ? variantName(shown.launch) : '\u00a0'}
      {lane.launches.length > 1 && !opened && ` · 1 of ${lane.launches.length}`}
    </small>
    {comparison && <b className={styles.difference}>{differenceOf(comparison)}</b>}
  </>
);

/** A variant; on a phone with the numbers that have no column there. */
const VariantName = ({ tried, flops }: { tried: Tried | undefined; flops: number }) =>
  tried && (
    <>
      {variantName(tried.launch)}
      {tried.outcome === 'timed' && (
        <small className="phone-only">
          {format.flopRate((1000 * flops) / tried.median)}, workspace {format.memory(tried.workspaceBytes)},
          error {format.relativeError(tried.error)}
        </small>
      )}
    </>
  );

/** Why a variant has no time. */
function Untimed({ tried, waiting }: Racer) {
  if (!tried)
    return waiting ? <span className={styles.waiting} /> : <span className="faint">not measured</span>;
  if (tried.outcome === 'timed') return null;
  return (
    <span className="beside error">
      <Icon name="warning" />{' '}
      {tried.outcome === 'wrong' ? 'incorrect results, excluded' : `failed: ${tried.reason.split('\n')[0]}`}
    </span>
  );
}

/** Which rows of a table are open, and how to open or close one. */
export function useOpenRows(): [open: ReadonlySet<string>, toggle: (row: string) => void] {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (row: string) => {
    const next = new Set(open);
    if (!next.delete(row)) next.add(row);
    setOpen(next);
  };
  return [open, toggle];
}

/** Algorithms that do not support the problem, with the reason. */
export function Absences({ measurement }: { measurement: Measurement }) {
  const { absent, state } = measurement;
  if (absent.length === 0 || state === 'waiting') return null;
  return (
    <ul className={`soft ${styles.absences}`} aria-label="Unavailable algorithms">
      {absences(measurement).map(({ algorithms, reason }) => (
        <li key={reason}>
          <b>{algorithms.join(', ')}</b>
          {algorithms.length === 1 ? ' is ' : ' are '}not available: {format.prose(reason)}.
        </li>
      ))}
    </ul>
  );
}
