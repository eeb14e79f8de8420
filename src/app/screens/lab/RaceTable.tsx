import { Fragment, useState, type ReactNode } from 'react';
import type { ConvChoice, Tried } from '../../../worker/api.ts';
import { TimeBar, TimeTicks } from '../../charts/bars/TimeBar.tsx';
import type { TimeAxis } from '../../charts/bars/time-axis.ts';
import { Heads } from '../../widgets/Heads.tsx';
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

/** A cell of numbers that a phone has no room for. */
const wideNumber = { 'data-number': true, className: 'wide-only' };

/** A bar for each algorithm: its fastest variant, or all of them where its row is open. */
export function RaceTable({ measurement, lanes, axis, running, onRead, more }: RaceTableProps) {
  const [open, toggle] = useOpenRows();
  const flops = measurement.problem?.flops ?? 0;
  const fastest = Math.min(...lanes.map(({ best }) => best?.median ?? Infinity));
  const { direction, number } = measurement.request;
  const cpu = cpuLane(measurement);
  const comparisons = comparisonsOf(measurement);
  const decided = unclearOf(measurement).length === 0;
  return (
    <table className={styles.lanes} data-more={more !== undefined || undefined}>
      <caption className="unseen">
        {direction} in {number}: time of each algorithm
      </caption>
      <Heads
        of={[
          'Algorithm',
          { name: 'Time bar', unseen: true, className: styles.bars, children: <TimeTicks axis={axis} /> },
          { name: 'Median', 'data-number': true },
          { name: 'vs fastest', ...wideNumber },
          { name: 'Rate', ...wideNumber, title: 'Direct-convolution FLOPs divided by time' },
          { name: 'Workspace', ...wideNumber, title: 'Scratch memory' },
          {
            name: 'Error',
            ...wideNumber,
            title: 'Maximum error against float64, relative to the largest value',
          },
          { name: 'Code', unseen: true },
          more && { name: 'More', unseen: true },
        ]}
      />
      <tbody>
        {lanes.map(({ name, algorithm, best, launches, first }) => {
          const opened = open.has(name);
          const shown = best ?? launches[0];
          const comparison = comparisons.find(({ yours }) => yours === best);
          return (
            <Fragment key={name}>
              <tr data-first={(first && decided) || undefined}>
                <th scope="row">
                  <button
                    type="button"
                    className={`bare ${styles.toggle}`}
                    aria-expanded={opened}
                    disabled={launches.length === 0}
                    onClick={() => toggle(name)}
                  >
                    <Chip algorithm={algorithm} name={name} />
                    {launches.length > 0 && <Icon name="chevron" />}
                    {first && decided && <Icon name="check" />}
                  </button>
                  <small>
                    {shown ? variantName(shown.launch) : '\u00a0'}
                    {launches.length > 1 && !opened && ` · 1 of ${launches.length}`}
                  </small>
                  {comparison && <b className={styles.difference}>{differenceOf(comparison)}</b>}
                </th>
                <Numbers
                  tried={shown}
                  axis={axis}
                  flops={flops}
                  fastest={fastest}
                  name={name}
                  algorithm={algorithm}
                  waiting={running && measurement.state === 'measuring'}
                  onRead={onRead}
                />
                {more && <td className={styles.buttons}>{shown && more(shown)}</td>}
              </tr>
              {opened &&
                launches.map((tried) => (
                  <tr key={tried.launch} className={styles.variant}>
                    <th scope="row">
                      {variantName(tried.launch)}
                      {tried.outcome === 'timed' && (
                        <small className="phone-only">
                          {format.flopRate((1000 * flops) / tried.median)}, workspace{' '}
                          {format.memory(tried.workspaceBytes)}, error {format.relativeError(tried.error)}
                        </small>
                      )}
                    </th>
                    <Numbers
                      tried={tried}
                      axis={axis}
                      flops={flops}
                      fastest={fastest}
                      name={name}
                      algorithm={algorithm}
                      waiting={false}
                      thin
                      onRead={onRead}
                    />
                    {more && <td className={styles.buttons}>{more(tried)}</td>}
                  </tr>
                ))}
            </Fragment>
          );
        })}
        {cpu && (running || measurement.cpu) && (
          <tr>
            <th scope="row">
              <Chip algorithm={cpu.algorithm} />
              <small>{cpu.launches[0] ? variantName(cpu.launches[0].launch) : '\u00a0'}</small>
            </th>
            <Numbers
              tried={cpu.launches[0]}
              axis={axis}
              flops={flops}
              fastest={fastest}
              name={cpu.name}
              algorithm={cpu.algorithm}
              waiting={running}
            />
            {more && <Nothing />}
          </tr>
        )}
      </tbody>
    </table>
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

interface NumbersProps {
  tried: Tried | undefined;
  /** The lane's. */
  name: string;
  algorithm: string;
  axis: TimeAxis | undefined;
  flops: number;
  /** Milliseconds. */
  fastest: number;
  thin?: boolean;
  waiting: boolean;
  /** Absent where the variant's WGSL cannot be edited. */
  onRead?(choice: ConvChoice): void;
}

/** The cells of a variant: its bar and numbers, or why it has none. */
function Numbers({ tried, name, algorithm, axis, flops, fastest, thin, waiting, onRead }: NumbersProps) {
  const code = tried && onRead && (
    <td className={styles.buttons}>
      <button
        type="button"
        className={styles.code}
        title={`Read and edit the WGSL of ${algorithm}, “${variantName(tried.launch)}”`}
        aria-label={`WGSL of ${name}, ${variantName(tried.launch)}`}
        onClick={() => onRead({ algorithm, launch: tried.launch })}
      >
        <Icon name="code" />
      </button>
    </td>
  );
  if (tried?.outcome === 'timed' && axis) {
    const { median, error, workspaceBytes } = tried;
    return (
      <>
        <td className={styles.bars}>
          <TimeBar algorithm={algorithm} axis={axis} time={tried} thin={thin} />
        </td>
        <td data-number>
          <b>{format.time(median)}</b>
        </td>
        <td {...wideNumber}>{format.times(median / fastest)}</td>
        <td {...wideNumber}>{format.flopRate((1000 * flops) / median)}</td>
        <td {...wideNumber}>{format.memory(workspaceBytes)}</td>
        <td {...wideNumber}>{format.relativeError(error)}</td>
        {code ?? <Nothing />}
      </>
    );
  }
  return (
    <>
      <td className={styles.bars} colSpan={2}>
        {!tried &&
          (waiting ? <span className={styles.waiting} /> : <span className="faint">not measured</span>)}
        {tried?.outcome === 'wrong' && (
          <span className="beside error">
            <Icon name="warning" /> incorrect results, excluded
          </span>
        )}
        {tried?.outcome === 'failed' && (
          <span className="beside error">
            <Icon name="warning" /> failed: {tried.reason.split('\n')[0]}
          </span>
        )}
      </td>
      <td className="wide-only" colSpan={3}>
        <span className="unseen">none</span>
      </td>
      <td {...wideNumber}>
        {tried?.outcome === 'wrong' &&
          (tried.error === null ? 'not finite' : format.relativeError(tried.error))}
      </td>
      {code ?? <Nothing />}
    </>
  );
}

const Nothing = () => (
  <td>
    <span className="unseen">none</span>
  </td>
);

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
