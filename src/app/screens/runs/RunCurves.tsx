import { useEffect, useRef, useState } from 'react';
import { textScale } from '../../components/text-scale.ts';
import { onThemeChange } from '../../components/use-ink.ts';
import * as format from '../../format.ts';
import type { CurveAxis } from '../../charts/curve/view.ts';
import { runs as texts } from '../../messages/en/runs.tsx';
import { indexAt, rangeOf, type RunLine } from './lines.ts';
import { lookOf } from './look.ts';
import { makeRunPlot } from './run-plot.ts';
import styles from './Runs.module.css';

interface RunCurvesProps {
  title: string;
  names: readonly string[];
  /** One per name. The same object until a value changes. */
  lines: readonly RunLine[];
  axis: CurveAxis;
  /** Where the axis ends; default: with the longest line. */
  end?: number;
  logarithmic?: boolean;
  formatValue(value: number): string;
  /** At the axis; default `formatValue`. */
  formatTick?(value: number): string;
  /** Fixed lowest and highest value. */
  range?: [number, number];
}

/** Where the cursor is on an axis. */
const momentOf = (axis: CurveAxis, x: number): string =>
  axis === 'time' ? texts.compare.at.time(format.time(1000 * x)) : texts.compare.at[axis](x);

/** Where the longest of these lines ends. */
export const endOf = (lines: readonly RunLine[]): number =>
  Math.max(1e-9, ...lines.map(({ x }) => x.at(-1) ?? 0));

/** One line per run over the same axis; hovering one plot moves the cursors of all. */
export function RunCurves({
  title,
  names,
  lines,
  axis,
  end = endOf(lines),
  logarithmic = false,
  formatValue,
  formatTick = formatValue,
  range,
}: RunCurvesProps) {
  const host = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<number>();
  // Its axes are made for a size of type, which follows the window's.
  const [scale, setScale] = useState(textScale);
  const [low, high] = range ?? rangeOf(lines, logarithmic);
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const plot = makeRunPlot(element, {
      ...{ names, lines, axis, end, logarithmic, low, high, formatTick, scale },
      onCursor: setCursor,
    });
    const stopTheme = onThemeChange(() => plot.redraw());
    const resized = new ResizeObserver(() => {
      setScale(textScale());
      plot.setSize({ width: element.clientWidth, height: element.clientHeight });
    });
    resized.observe(element);
    return () => {
      stopTheme();
      resized.disconnect();
      plot.destroy();
    };
  }, [names, lines, axis, end, logarithmic, low, high, formatTick, scale]);
  return (
    <figure className={styles.figure}>
      <figcaption className="spread">
        <h3>{title}</h3>
        <span className="faint numbers">
          {cursor === undefined ? texts.compare.last : momentOf(axis, cursor)}
        </span>
      </figcaption>
      <div ref={host} className={styles.plot} aria-hidden="true" />
      <Legend {...{ title, names, lines, cursor, formatValue }} />
    </figure>
  );
}

interface LegendProps extends Pick<RunCurvesProps, 'title' | 'names' | 'lines' | 'formatValue'> {
  cursor: number | undefined;
}

/** Which line is which run, and its value at the cursor, or its last one. */
function Legend({ title, names, lines, cursor, formatValue }: LegendProps) {
  return (
    <ul
      className={styles.legend}
      aria-label={`${title}, ${cursor === undefined ? texts.compare.last : texts.compare.atCursor}`}
    >
      {lines.map((line, i) => {
        const at = cursor === undefined ? line.y.length - 1 : indexAt(line, cursor);
        const { colour, dash } = lookOf(i);
        return (
          // oxlint-disable-next-line react/no-array-index-key -- runs may have the same name
          <li key={i} className="beside" title={names[i]}>
            <svg className={styles.line} viewBox="0 0 22 4" aria-hidden="true">
              <path d="M0 2H22" stroke={`var(${colour})`} strokeDasharray={dash.join(' ')} />
            </svg>
            <span className={styles.legendName}>{names[i]}</span>
            <strong className="numbers">{at < 0 ? '–' : formatValue(line.y[at])}</strong>
          </li>
        );
      })}
    </ul>
  );
}
