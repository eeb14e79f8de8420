import uPlot from 'uplot';
import type { Evaluation } from '../../metrics/live.ts';

/** A token of theme.css, as the theme has it now. */
export const token = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export interface PlotSeries {
  label: string;
  /** A token: "--series-train". */
  colour: string;
  width: number;
}

export interface PlotOptions {
  width: number;
  height: number;
  series: readonly PlotSeries[];
  /** The colour token of the points of each evaluation, if there are any. */
  pointColour: string | undefined;
  evaluations: readonly Evaluation[];
  /** The height of an evaluation's point. */
  pointValue(evaluation: Evaluation): number;
  logarithmic: boolean;
  /** Lowest and highest of the y axis; undefined fits the data. */
  range: [number, number] | undefined;
  formatY(value: number): string;
  /** Told the step under the cursor, or undefined when it leaves. */
  onCursor(step: number | undefined): void;
}

/** Cursors of all plots stand at the same step. */
const SYNC = 'steps';

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/** Points nearer to one another than this, in CSS pixels, make marks that cannot be told apart. */
const NEAREST_MARKS = 14;

/** Makes a plot by training step. Colours are read while drawing, so a redraw is all that a new theme takes. */
export function makePlot(host: HTMLElement, options: PlotOptions): uPlot {
  const axis = (): uPlot.Axis => ({
    stroke: () => token('--ink-faint'),
    font: FONT,
    grid: { stroke: () => token('--grid'), width: 1 },
    ticks: { show: false },
  });
  const data = [[], ...options.series.map(() => [])] as uPlot.AlignedData;
  return new uPlot(
    {
      width: options.width,
      height: options.height,
      padding: [12, 12, 0, 0],
      legend: { show: false },
      // The readout beside the title says what the points are; dragging is left to the page, which scrolls.
      cursor: {
        y: false,
        drag: { x: false, y: false },
        points: { size: 7 },
        sync: { key: SYNC, scales: ['x', null] },
      },
      scales: {
        x: { time: false, range: (_, low, high) => [Math.min(0, low ?? 0), Math.max(high ?? 0, 10)] },
        y: options.logarithmic
          ? { distr: 3, log: 10 }
          : { range: options.range ? () => options.range as [number, number] : fromZero },
      },
      axes: [
        {
          ...axis(),
          values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? compact(tick) : '')),
          size: 28,
          gap: 6,
        },
        {
          ...axis(),
          values: (_, ticks) => ticks.map((tick) => (tick === null ? '' : options.formatY(tick))),
          size: 52,
          gap: 8,
        },
      ],
      series: [
        {},
        ...options.series.map(({ label, colour, width }) => ({
          label,
          stroke: () => token(colour),
          width,
          points: { show: false },
        })),
      ],
      hooks: {
        drawAxes: [(plot) => drawEpochMarks(plot, options)],
        draw: [(plot) => drawEvaluations(plot, options)],
        setCursor: [
          (plot) => {
            const { idx } = plot.cursor;
            options.onCursor(idx === null || idx === undefined ? undefined : plot.data[0][idx]);
          },
        ],
      },
    },
    data,
    host,
  );
}

const fromZero: uPlot.Range.Function = (_, low, high) => [Math.min(0, low ?? 0), (high ?? 1) * 1.05 || 1];

const compact = (value: number): string =>
  value >= 1e6 ? `${value / 1e6}M` : value >= 1e4 ? `${value / 1e3}k` : String(value);

/** A vertical line where an epoch ended, as long as there is room between them. */
function drawEpochMarks(plot: uPlot, { evaluations }: PlotOptions): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = token('--epoch-mark');
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 4 * devicePixelRatio]);
  let last = -Infinity;
  for (const { step } of evaluations) {
    const x = Math.round(plot.valToPos(step, 'x', true));
    if (x - last < NEAREST_MARKS * devicePixelRatio) continue;
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    last = x;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

/** The evaluations as a line with a point each; the points go when there are too many to tell apart. */
function drawEvaluations(plot: uPlot, { evaluations, pointColour, pointValue }: PlotOptions): void {
  if (pointColour === undefined || evaluations.length === 0) return;
  const { ctx, bbox } = plot;
  const places = evaluations.map((evaluation) => ({
    x: plot.valToPos(evaluation.step, 'x', true),
    y: plot.valToPos(pointValue(evaluation), 'y', true),
  }));
  const spacing = bbox.width / evaluations.length;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top - 8, bbox.width + 16, bbox.height + 8);
  ctx.clip();
  ctx.strokeStyle = token(pointColour);
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.lineJoin = 'round';
  ctx.beginPath();
  for (const { x, y } of places) ctx.lineTo(x, y);
  ctx.stroke();
  if (spacing > NEAREST_MARKS * devicePixelRatio) {
    ctx.fillStyle = token('--surface');
    for (const { x, y } of places) {
      ctx.beginPath();
      ctx.arc(x, y, 4 * devicePixelRatio, 0, 2 * Math.PI);
      ctx.fill();
      ctx.stroke();
    }
  }
  ctx.restore();
}
