import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { axisLook, token } from '../../charts/curve/plot.ts';
import { textScale } from '../../components/text-scale.ts';
import { compact } from '../../charts/curve/series.ts';
import { onThemeChange } from '../../components/use-ink.ts';
import * as format from '../../format.ts';
import type { CurveAxis } from '../../charts/curve/view.ts';
import { runs as texts } from '../../messages/en/runs.tsx';
import { indexAt, rangeOf, type RunLine } from './lines.ts';
import { lookOf } from './look.ts';
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

/** Points are drawn for curves of at most so many values. */
const MAX_POINTS = 12;

/** Keeps the cursors of all plots at the same place. */
const SYNC = 'runs';

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
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: element.clientHeight,
        padding: [10, 12, 0, 0],
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false }, sync: { key: SYNC, scales: ['x', null] } },
        scales: {
          x: { time: false, range: [0, end] },
          y: logarithmic ? { distr: 3, log: 10, range: [low, high] } : { range: [low, high] },
        },
        axes: [
          {
            ...axisLook(),
            size: 26 * scale,
            gap: 6,
            values: (_, ticks) =>
              ticks.map((tick) => (axis === 'time' ? format.time(1000 * tick) : compact(tick))),
          },
          {
            ...axisLook(),
            size: 52 * scale,
            gap: 8,
            values: (_, ticks) => ticks.map((tick) => (tick === null ? '' : formatTick(tick))),
          },
        ],
        series: [
          {},
          ...lines.map(({ y }, i) => ({
            label: names[i],
            stroke: () => token(lookOf(i).colour),
            width: 2,
            dash: [...lookOf(i).dash],
            // Join points across places that only other runs have.
            spanGaps: true,
            // A single test is a point, not a line.
            points: { show: y.length <= MAX_POINTS, size: 6, fill: () => token('--surface') },
          })),
        ],
        hooks: {
          setCursor: [
            ({ cursor: { idx }, data }) => setCursor(typeof idx === 'number' ? data[0][idx] : undefined),
          ],
        },
      },
      [[], ...lines.map(() => [])] as uPlot.AlignedData,
      element,
    );
    const drawn = ({ y }: RunLine) =>
      y.map((value) => (Number.isFinite(value) && (!logarithmic || value > 0) ? value : null));
    if (lines.length > 0) plot.setData(uPlot.join(lines.map((line) => [[...line.x], drawn(line)])));
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
    </figure>
  );
}
