import { useState, type ReactNode } from 'react';
import type { ConvChoice, Tried } from '../../../worker/api.ts';
import { TimeBar, TimeTicks } from '../../charts/bars/TimeBar.tsx';
import type { TimeAxis } from '../../charts/bars/time-axis.ts';
import { DataTable, type TableColumn } from '../../widgets/DataTable.tsx';
import { Icon } from '../../widgets/Icon.tsx';
import { variantName } from '../../components/variant-name.ts';
import * as format from '../../format.ts';
import type { Measurement } from './batch.ts';
import { Chip } from './Chip.tsx';
import styles from './Tables.module.css';
import { cpuLane } from './cpu-lane.ts';
import {
  absences,
  comparisonsOf,
  differenceOf,
  type RaceLane,
  type TimedVariant,
  unclearOf,
} from './verdict.ts';

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
  /** What is drawn and compared, if it was timed. */
  time?: TimedVariant;
}

/** What a cell that is empty says to screen readers. */
const NONE = <span className="unseen">none</span>;

/** A bar for each algorithm: its fastest variant, or all of them where its row is open. */
export function RaceTable({ measurement, lanes, axis, running, onRead, more }: RaceTableProps) {
  const [open, toggle] = useOpenRows();
  const { direction, number } = measurement.request;
  const comparisons = comparisonsOf(measurement);
  const decided = unclearOf(measurement).length === 0;
  const flops = measurement.problem?.flops ?? 0;
  const rows = racersOf(measurement, lanes, open, running).map((racer): Racer =>
    axis && racer.tried?.outcome === 'timed' ? { ...racer, time: racer.tried } : racer,
  );
  const isFirst = ({ lane, editable }: Racer): boolean => editable && decided && lane?.first === true;
  return (
    <DataTable
      caption={`${direction} in ${number}: time of each algorithm`}
      fits
      stacked={more !== undefined}
      className={styles.lanes}
      rows={rows}
      keyOf={({ name, tried, lane }) => (lane ? name : `${name} ${tried?.launch}`)}
      row={(racer) => ({
        className: racer.lane ? undefined : styles.variant,
        'data-first': isFirst(racer) || undefined,
      })}
      columns={[
        {
          title: 'Algorithm',
          render: (racer) =>
            racer.lane && racer.editable ? (
              <LaneName
                lane={racer.lane}
                shown={racer.tried}
                opened={open.has(racer.name)}
                first={isFirst(racer)}
                comparison={comparisons.find(({ yours }) => yours === racer.lane?.best)}
                onToggle={() => toggle(racer.name)}
              />
            ) : (
              <VariantName {...racer} flops={flops} />
            ),
        },
        ...timeColumns(axis, flops, Math.min(...lanes.map(({ best }) => best?.median ?? Infinity))),
        {
          title: 'Code',
          unseen: true,
          className: styles.buttons,
          render: (racer) => <CodeButton {...racer} onRead={onRead} />,
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

/** The rows: the lanes, each followed by its variants where it is open, and the CPU engine at the end. */
function racersOf(
  measurement: Measurement,
  lanes: readonly RaceLane[],
  open: ReadonlySet<string>,
  running: boolean,
): Racer[] {
  const waiting = running && measurement.state === 'measuring';
  const racers = lanes.flatMap((lane): Racer[] => {
    const { name, algorithm, best, launches } = lane;
    const variant = { name, algorithm, editable: true };
    return [
      { ...variant, tried: best ?? launches[0], lane, waiting },
      ...(open.has(name) ? launches.map((tried) => ({ ...variant, tried, waiting: false })) : []),
    ];
  });
  const cpu = cpuLane(measurement);
  if (!cpu || !(running || measurement.cpu)) return racers;
  return [...racers, { ...cpu, tried: cpu.launches[0], lane: cpu, waiting: running, editable: false }];
}

/** @param fastest milliseconds, which others are compared with */
function timeColumns(axis: TimeAxis | undefined, flops: number, fastest: number): TableColumn<Racer>[] {
  const wideNumber = { number: true, wide: true };
  return [
    {
      title: 'Time bar',
      unseen: true,
      className: styles.bars,
      face: <TimeTicks axis={axis} />,
      span: ({ time }) => (time ? 1 : 2),
      render: (racer) =>
        racer.time && axis ? (
          <TimeBar algorithm={racer.algorithm} axis={axis} time={racer.time} thin={!racer.lane} />
        ) : (
          <Untimed {...racer} />
        ),
    },
    { title: 'Median', number: true, render: ({ time }) => <b>{format.time(time?.median ?? NaN)}</b> },
    {
      ...wideNumber,
      title: 'vs fastest',
      span: ({ time }) => (time ? 1 : 3),
      render: ({ time }) => (time ? format.times(time.median / fastest) : NONE),
    },
    {
      ...wideNumber,
      title: 'Rate',
      hint: 'Direct-convolution FLOPs divided by time',
      render: ({ time }) => format.flopRate((1000 * flops) / (time?.median ?? NaN)),
    },
    {
      ...wideNumber,
      title: 'Workspace',
      hint: 'Scratch memory',
      render: ({ time }) => format.memory(time?.workspaceBytes ?? NaN),
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
  ];
}

/** Opens the WGSL of a variant. */
const CodeButton = ({ name, algorithm, tried, editable, onRead }: Racer & Pick<RaceTableProps, 'onRead'>) =>
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
  );

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

/** A variant, on a phone with the numbers that have no column there; or the CPU engine, which has one. */
const VariantName = ({ tried, lane, flops }: Racer & { flops: number }) =>
  lane ? (
    <>
      <Chip algorithm={lane.algorithm} />
      <small>{tried ? variantName(tried.launch) : '\u00a0'}</small>
    </>
  ) : (
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
    )
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
