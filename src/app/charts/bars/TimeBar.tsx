import * as format from '../../format.ts';
import type { TimeAxis } from './time-axis.ts';
import styles from './TimeBar.module.css';

interface TimeBarProps {
  /** Sets colour and pattern; see screens/lab/palette.css. */
  algorithm: string;
  axis: TimeAxis;
  /** Milliseconds. */
  time: { median: number; p10: number; p90: number };
  thin?: boolean;
}

/** A bar as long as the median, with a whisker from the 10th to the 90th percentile. Numbers stand beside it. */
export function TimeBar({ algorithm, axis, time: { median, p10, p90 }, thin = false }: TimeBarProps) {
  const left = axis.at(p10);
  const right = axis.at(p90);
  const cut = axis.cut(median);
  return (
    <span
      className={`${styles.track} ${thin ? styles.thin : ''}`}
      data-algorithm={algorithm}
      title={`median ${format.time(median)}, 10 to 90 %: ${format.time(p10)} to ${format.time(p90)}`}
    >
      <span
        className={styles.bar}
        data-cut={cut || undefined}
        style={{ width: `${100 * axis.at(median)}%` }}
      />
      {!cut && (
        <span
          className={styles.whisker}
          style={{ left: `${100 * left}%`, width: `${100 * Math.max(0, right - left)}%` }}
        />
      )}
    </span>
  );
}

/** The numbers along the top of a column of bars. */
export function TimeTicks({ axis }: { axis: TimeAxis | undefined }) {
  return (
    <span className={styles.ticks} aria-hidden="true">
      {axis?.ticks.map((tick) => (
        <span
          key={tick}
          data-end={axis.at(tick) > 0.85 || undefined}
          style={{ left: `${100 * axis.at(tick)}%` }}
        >
          {tick === 0 ? '0' : shortTime(tick)}
        </span>
      ))}
    </span>
  );
}

/** A round time without zeros behind the point: "50 µs". */
const shortTime = (ms: number): string =>
  format
    .time(ms)
    .replace(/\.0+(?= )/, '')
    .replace(/(\.\d*?)0+(?= )/, '$1');
