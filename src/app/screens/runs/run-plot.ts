import uPlot from 'uplot';
import { axisLook, token } from '../../charts/curve/plot.ts';
import { compact } from '../../charts/curve/series.ts';
import type { CurveAxis } from '../../charts/curve/view.ts';
import * as format from '../../format.ts';
import type { RunLine } from './lines.ts';
import { lookOf } from './look.ts';

/** Points are drawn for curves of at most so many values. */
const MAX_POINTS = 12;

/** Keeps the cursors of all plots at the same place. */
const SYNC = 'runs';

interface RunPlotOptions {
  names: readonly string[];
  /** One per name. */
  lines: readonly RunLine[];
  axis: CurveAxis;
  /** Where the horizontal axis ends. */
  end: number;
  logarithmic: boolean;
  /** Lowest and highest of the vertical axis. */
  low: number;
  high: number;
  formatTick(value: number): string;
  /** Of type, for which the axes are made: that of a small window is 1. */
  scale: number;
  /** Receives where the cursor is on the horizontal axis; undefined when it leaves. */
  onCursor(at: number | undefined): void;
}

/** A plot that fills `element`. */
export function makeRunPlot(element: HTMLElement, options: RunPlotOptions): uPlot {
  const { names, lines, axis, end, logarithmic, low, high, formatTick, scale, onCursor } = options;
  const axes: uPlot.Axis[] = [
    {
      ...axisLook(),
      size: 26 * scale,
      gap: 6,
      values: (_, ticks) => ticks.map((tick) => (axis === 'time' ? format.time(1000 * tick) : compact(tick))),
    },
    {
      ...axisLook(),
      size: 52 * scale,
      gap: 8,
      values: (_, ticks) => ticks.map((tick) => (tick === null ? '' : formatTick(tick))),
    },
  ];
  const plot = new uPlot(
    {
      width: element.clientWidth,
      height: element.clientHeight,
      padding: [10, 12, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, sync: { key: SYNC, scales: ['x', null] } },
      scales: {
        x: { time: false, range: [0, end] },
        y: { range: [low, high], ...(logarithmic ? { distr: 3, log: 10 } : {}) },
      },
      axes,
      series: [{}, ...lines.map(({ y }, i) => seriesOf(names[i], i, y.length))],
      hooks: {
        setCursor: [
          ({ cursor: { idx }, data }) => onCursor(typeof idx === 'number' ? data[0][idx] : undefined),
        ],
      },
    },
    [[], ...lines.map(() => [])] as uPlot.AlignedData,
    element,
  );
  const drawn = ({ y }: RunLine) =>
    y.map((value) => (Number.isFinite(value) && (!logarithmic || value > 0) ? value : null));
  if (lines.length > 0) plot.setData(uPlot.join(lines.map((line) => [[...line.x], drawn(line)])));
  return plot;
}

const seriesOf = (label: string, i: number, values: number): uPlot.Series => ({
  label,
  stroke: () => token(lookOf(i).colour),
  width: 2,
  dash: [...lookOf(i).dash],
  // Join points across places that only other runs have.
  spanGaps: true,
  // A single test is a point, not a line.
  points: { show: values <= MAX_POINTS, size: 6, fill: () => token('--surface') },
});
