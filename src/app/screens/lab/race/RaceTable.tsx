import { Fragment, useState, type ReactNode } from 'react';
import type { ConvChoice, Tried } from '../../../../worker/api.ts';
import { TimeBar, TimeTicks } from '../../../charts/bars/TimeBar.tsx';
import type { TimeAxis } from '../../../charts/bars/time-axis.ts';
import { Icon } from '../../../components/Icon.tsx';
import * as format from '../../../format.ts';
import type { Measurement } from '../batch.ts';
import { Chip } from '../Chip.tsx';
import type { Lane } from '../verdict.ts';
import styles from './RaceTable.module.css';

interface RaceTableProps {
  measurement: Measurement;
  lanes: readonly Lane[];
  axis: TimeAxis | undefined;
  running: boolean;
  onRead(choice: ConvChoice): void;
  /** More to do with a launch, in a column of its own. */
  more?(choice: ConvChoice): ReactNode;
}

/** A bar for each algorithm: its best launch, or all of them where its row is opened. */
export function RaceTable({ measurement, lanes, axis, running, onRead, more }: RaceTableProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (algorithm: string) => {
    const next = new Set(open);
    if (!next.delete(algorithm)) next.add(algorithm);
    setOpen(next);
  };
  const flops = measurement.problem?.flops ?? 0;
  const fastest = Math.min(...lanes.map(({ best }) => best?.median ?? Infinity));
  const { direction, number } = measurement.request;
  return (
    <table className={styles.table}>
      <caption className="unseen">
        {direction} in {number}: time of each algorithm
      </caption>
      <thead>
        <tr>
          <th scope="col">Algorithm</th>
          <th scope="col" className={styles.bars}>
            <span className="unseen">Bar of the time</span>
            <TimeTicks axis={axis} />
          </th>
          <th scope="col" className={styles.number}>
            Median
          </th>
          <th scope="col" className={styles.wide}>
            Slower
          </th>
          <th scope="col" className={styles.wide} title="Operations of the direct method over the time">
            Rate
          </th>
          <th scope="col" className={styles.wide} title="Memory beyond input and output">
            Workspace
          </th>
          <th
            scope="col"
            className={styles.wide}
            title="Largest difference to float64, over the largest number"
          >
            Error
          </th>
          <th scope="col">
            <span className="unseen">Code</span>
          </th>
          {more && (
            <th scope="col">
              <span className="unseen">More</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {lanes.map(({ algorithm, best, launches, first }) => {
          const opened = open.has(algorithm);
          const shown = best ?? launches[0];
          return (
            <Fragment key={algorithm}>
              <tr data-first={first || undefined}>
                <th scope="row">
                  <button
                    type="button"
                    className={styles.name}
                    aria-expanded={opened}
                    disabled={launches.length === 0}
                    onClick={() => toggle(algorithm)}
                  >
                    <Chip algorithm={algorithm} />
                    {launches.length > 0 && <Icon name="chevron" />}
                    {first && <Icon name="check" />}
                  </button>
                  <span className={styles.launch}>
                    {shown?.launch ?? ''}
                    {launches.length > 1 && !opened && ` · 1 of ${launches.length}`}
                  </span>
                </th>
                <Numbers
                  {...{ tried: shown, axis, flops, fastest, algorithm }}
                  waiting={running && measurement.state === 'measuring'}
                  onRead={onRead}
                />
                {more && <td className={styles.more}>{shown && more(shown)}</td>}
              </tr>
              {opened &&
                launches.map((tried) => (
                  <tr key={tried.launch} className={styles.sub}>
                    <th scope="row">
                      {tried.launch}
                      {tried.outcome === 'timed' && (
                        <span className={styles.narrow}>
                          {format.flopRate((1000 * flops) / tried.median)}, workspace{' '}
                          {format.memory(tried.workspaceBytes)}, error {format.relativeError(tried.error)}
                        </span>
                      )}
                    </th>
                    <Numbers {...{ tried, axis, flops, fastest, algorithm, onRead }} thin waiting={false} />
                    {more && <td className={styles.more}>{more(tried)}</td>}
                  </tr>
                ))}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

interface NumbersProps {
  tried: Tried | undefined;
  algorithm: string;
  axis: TimeAxis | undefined;
  flops: number;
  /** Milliseconds. */
  fastest: number;
  thin?: boolean;
  waiting: boolean;
  onRead(choice: ConvChoice): void;
}

function Numbers({ tried, algorithm, axis, flops, fastest, thin, waiting, onRead }: NumbersProps) {
  const code = tried && (
    <td className={styles.code}>
      <button
        type="button"
        title={`Read and change the WGSL of ${algorithm}, “${tried.launch}”`}
        aria-label={`WGSL of ${algorithm}, ${tried.launch}`}
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
        <td className={styles.number}>{format.time(median)}</td>
        <td className={styles.wide}>{format.times(median / fastest)}</td>
        <td className={styles.wide}>{format.flopRate((1000 * flops) / median)}</td>
        <td className={styles.wide}>{format.memory(workspaceBytes)}</td>
        <td className={styles.wide}>{format.relativeError(error)}</td>
        {code}
      </>
    );
  }
  return (
    <>
      <td className={styles.bars} colSpan={2}>
        {!tried && (
          <span className={waiting ? styles.waiting : styles.none}>{waiting ? '' : 'not measured'}</span>
        )}
        {tried?.outcome === 'wrong' && (
          <span className={styles.wrong}>
            <Icon name="warning" /> wrong numbers: in quarantine
          </span>
        )}
        {tried?.outcome === 'failed' && (
          <span className={styles.wrong}>
            <Icon name="warning" /> did not run: {tried.reason.split('\n')[0]}
          </span>
        )}
      </td>
      <td className={styles.wide} colSpan={3}>
        <span className="unseen">none</span>
      </td>
      <td className={styles.wide}>
        {tried?.outcome === 'wrong' &&
          (tried.error === null ? 'not finite' : format.relativeError(tried.error))}
      </td>
      {code ?? (
        <td>
          <span className="unseen">none</span>
        </td>
      )}
    </>
  );
}
