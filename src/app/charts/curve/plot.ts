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
  /** Draws the line across steps that it has no value at. Default false. */
  spanGaps?: boolean;
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
  /** Where the numbers of the epochs stand: where the curve is not. */
  epochsAt: 'top' | 'bottom';
  logarithmic: boolean;
  /** Lowest and highest of the y axis; undefined fits the data. */
  range: [number, number] | undefined;
  formatY(value: number): string;
  /** Told the step under the cursor, or undefined when it leaves. */
  onCursor(step: number | undefined): void;
}

/** Cursors of all plots stand at the same step. */
const SYNC = 'steps';

const FONT_FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const FONT = `12px ${FONT_FAMILY}`;

/** The least room between the marks of epochs, and between points of evaluations, in CSS pixels. */
const NEAREST_MARKS = 32;
const NEAREST_POINTS = 14;

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
        ...options.series.map(({ label, colour, width, spanGaps = false }) => ({
          label,
          spanGaps,
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

/** A vertical line with its number where an epoch ended; where they would crowd, every 2nd, 5th, 10th and so on. */
function drawEpochMarks(plot: uPlot, { evaluations, epochsAt }: PlotOptions): void {
  const last = evaluations.at(-1);
  if (!last) return;
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  const across = plot.valToPos(last.step, 'x', true) - bbox.left;
  const every = roundUp((last.epoch * NEAREST_MARKS * scale) / Math.max(1, across));
  ctx.save();
  ctx.strokeStyle = token('--epoch-mark');
  ctx.fillStyle = token('--ink-faint');
  ctx.font = `${11 * scale}px ${FONT_FAMILY}`;
  ctx.textBaseline = epochsAt;
  ctx.lineWidth = scale;
  ctx.setLineDash([3 * scale, 4 * scale]);
  for (const [i, { step, epoch }] of evaluations.entries()) {
    // A test in the midst of an epoch marks none.
    if (epoch === (evaluations[i - 1]?.epoch ?? 0)) continue;
    if (epoch % every !== 0) continue;
    const x = Math.round(plot.valToPos(step, 'x', true));
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.textAlign = 'right';
    ctx.fillText(
      String(epoch),
      x - 4 * scale,
      epochsAt === 'top' ? bbox.top : bbox.top + bbox.height - 3 * scale,
    );
  }
  ctx.restore();
}

/** The next of 1, 2, 5, 10, 20, 50 and so on. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [1, 2, 5, 10].map((digit) => digit * power).find((round) => round >= value) ?? 1;
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
  if (spacing > NEAREST_POINTS * devicePixelRatio) {
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
