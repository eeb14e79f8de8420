import uPlot from 'uplot';
import type { Evaluation } from '../../../run/metrics/rows.ts';
import { textScale } from '../../components/text-scale.ts';
import { colourOf, type PlotSeries } from './series.ts';
import { token } from './token.ts';

export { token };

export interface PlotOptions {
  width: number;
  height: number;
  series: readonly PlotSeries[];
  /** The colour token of the points of each evaluation, if there are any. */
  pointColour: string | undefined;
  evaluations: readonly Evaluation[];
  /** What lies between the last two columns of the data is filled with this token. */
  bandColour: string | undefined;
  /** Where a step lies on the x axis. */
  placeOf(step: number): number;
  formatX(value: number): string;
  /** Also parts of whole numbers are marked on the x axis. */
  fineX: boolean;
  /** What is shown of the x axis; undefined shows all of it. */
  zoom(): readonly [number, number] | undefined;
  /** Receives the range that was dragged over; undefined for the whole. */
  onZoom(zoom: readonly [number, number] | undefined): void;
  /** Steps at which settings changed, with labels. */
  marks(): readonly { step: number; words: string }[];
  /** A strip beneath others: without axes and labels. */
  small: boolean;
  /** The height of an evaluation's point. */
  pointValue(evaluation: Evaluation): number;
  /** Where the numbers of the epochs stand: where the curve is not. */
  epochsAt: 'top' | 'bottom';
  logarithmic: boolean;
  /** Lowest and highest of the y axis; undefined fits the data. */
  range: [number, number] | undefined;
  formatY(value: number): string;
  /** Receives the index of the point under the cursor; undefined when it leaves. */
  onPoint(point: number | undefined): void;
}

/** Cursors of all plots stand at the same step. */
const SYNC = 'steps';

const FONT_FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/** The least room between the marks of epochs, and between points of evaluations, in CSS pixels. */
const NEAREST_MARKS = 32;
const NEAREST_POINTS = 14;
/** The height of a mark's label, in CSS pixels. */
const LABEL_HEIGHT = 14;
/** A drag over fewer pixels is a click. */
const MIN_DRAG = 6;

/** Room for the numbers at the y axis. */
const AXIS_WIDTH = 46;

/** What all axes look like. */
export const axisLook = (): uPlot.Axis => ({
  stroke: () => token('--ink-faint'),
  font: `${12 * textScale()}px ${FONT_FAMILY}`,
  grid: { stroke: () => token('--grid'), width: 1 },
  ticks: { show: false },
});

/** Makes a plot by training step. Colours are read while drawing, so a redraw is all that a new theme takes. */
export function makePlot(host: HTMLElement, options: PlotOptions): uPlot {
  const { bandColour, small } = options;
  const lines = options.series.length;
  const em = textScale();
  const edges: uPlot.Series[] = bandColour === undefined ? [] : [{ width: 0 }, { width: 0 }];
  const data = [[], ...options.series.map(() => []), ...edges.map(() => [])] as uPlot.AlignedData;
  return new uPlot(
    {
      width: options.width,
      height: options.height,
      padding: small ? [4, 1, 4, 0] : [12, 12, 0, 0],
      legend: { show: false },
      cursor: cursorOf(options),
      scales: {
        x: { time: false, range: (_, low, high) => rangeOfX(options, low, high) },
        y: options.logarithmic
          ? LOG_SCALE
          : { range: options.range ? () => options.range as [number, number] : fromZero },
      },
      axes: axesOf(options, em),
      series: [
        {},
        ...options.series.map((series) => ({
          label: series.label,
          stroke: () => colourOf(series, token),
          width: series.width,
          // One step alone makes no line.
          points: { show: (plot: uPlot) => plot.data[0].length === 1, size: 5 },
        })),
        ...edges.map((edge) => ({ ...edge, points: { show: false } })),
      ],
      ...(bandColour === undefined
        ? {}
        : { bands: [{ series: [lines + 2, lines + 1] as [number, number], fill: () => token(bandColour) }] }),
      hooks: {
        drawAxes: [(plot) => drawEpochMarks(plot, options, em), (plot) => drawMarks(plot, options)],
        draw: [
          (plot) => drawEvaluations(plot, options),
          (plot) => drawMarkLabels(plot, options, em),
          shareCursor,
        ],
        setCursor: [(plot) => options.onPoint(plot.cursor.idx ?? undefined)],
        setSelect: [(plot) => zoomToSelection(plot, options)],
      },
    },
    data,
    host,
  );
}

/** The readout beside the title says what the points are. Fingers scroll the page; a mouse zooms. */
const cursorOf = ({ onZoom }: PlotOptions): uPlot.Cursor => ({
  y: false,
  drag: { x: true, y: false, setScale: false },
  bind: {
    dblclick: () => () => {
      onZoom(undefined);
      return null;
    },
  },
  points: { size: 7 },
  sync: { key: SYNC, scales: ['x', null] },
});

/** What is zoomed to, or all steps: at least ten, from zero on. */
function rangeOfX({ zoom, placeOf }: PlotOptions, low: number | null, high: number | null): [number, number] {
  const [from, to] = zoom() ?? [Math.min(0, low ?? 0), Math.max(high ?? 0, placeOf(10))];
  return [from, Math.max(to, from + 1e-9)];
}

const axesOf = ({ small, fineX, formatX, formatY }: PlotOptions, em: number): uPlot.Axis[] => [
  {
    ...axisLook(),
    values: (_, ticks) => ticks.map((tick) => (fineX || Number.isInteger(tick) ? formatX(tick) : '')),
    size: 24 * em,
    gap: 4,
    show: !small,
  },
  {
    ...axisLook(),
    values: (_, ticks) => ticks.map((tick) => (tick === null ? '' : formatY(tick))),
    // "1.2e+17" takes more.
    size: (_, labels) => em * Math.max(AXIS_WIDTH, ...(labels ?? []).map(({ length }) => 8 * length + 3)),
    gap: 6,
    show: !small,
  },
];

function zoomToSelection(plot: uPlot, { onZoom }: PlotOptions): void {
  const { left, width } = plot.select;
  if (width < MIN_DRAG) return;
  onZoom([plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')]);
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
}

/**
 * Puts the cursors of all plots where that of the plot under the mouse is. uPlot does so when the mouse moves; plots that are
 * drawn one after another may still show different ranges then.
 */
function shareCursor(): void {
  const { plots } = uPlot.sync(SYNC);
  const hovered = plots.find(({ over }) => over.matches(':hover'));
  const { left = -1, top = 0 } = hovered?.cursor ?? {};
  if (!hovered || left < 0) return;
  const place = hovered.posToVal(left, 'x');
  for (const plot of plots) {
    if (plot !== hovered) plot.setCursor({ left: plot.valToPos(place, 'x'), top });
  }
}

/** A y axis from zero, or from the least number, with a little room above. */
const fromZero: uPlot.Range.Function = (_, low, high) => [Math.min(0, low ?? 0), (high ?? 1) * 1.05 || 1];

/** A vertical line with its number where an epoch ended; where they would crowd, every 2nd, 5th, 10th and so on. */
function drawEpochMarks(plot: uPlot, options: PlotOptions, em: number): void {
  const { evaluations, epochsAt, small } = options;
  const last = evaluations.at(-1);
  if (!last) return;
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio * em;
  const across = plot.valToPos(options.placeOf(last.step), 'x', true) - plot.valToPos(0, 'x', true);
  const every = roundUp((last.epoch * NEAREST_MARKS * scale) / Math.max(1, across));
  ctx.save();
  ctx.strokeStyle = token('--epoch-mark');
  ctx.fillStyle = token('--ink-faint');
  ctx.font = `${11 * scale}px ${FONT_FAMILY}`;
  ctx.textBaseline = epochsAt;
  ctx.lineWidth = scale;
  ctx.setLineDash([3 * scale, 4 * scale]);
  for (const [i, { step, epoch }] of evaluations.entries()) {
    // A test in the middle of an epoch has no mark.
    if (epoch === (evaluations[i - 1]?.epoch ?? 0)) continue;
    if (epoch % every !== 0) continue;
    const x = Math.round(plot.valToPos(options.placeOf(step), 'x', true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    if (small) continue;
    ctx.textAlign = 'right';
    ctx.fillText(
      String(epoch),
      x - 4 * scale,
      epochsAt === 'top' ? bbox.top : bbox.top + bbox.height - 3 * scale,
    );
  }
  ctx.restore();
}

/** A line where a setting changed. */
function drawMarks(plot: uPlot, options: PlotOptions): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = token('--accent');
  ctx.lineWidth = 1.5 * devicePixelRatio;
  for (const { x } of marksInView(plot, options)) {
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

const marksInView = (plot: uPlot, { marks, placeOf }: PlotOptions) =>
  marks()
    .map(({ step, words }) => ({ x: Math.round(plot.valToPos(placeOf(step), 'x', true)), words }))
    .filter(({ x }) => x >= plot.bbox.left && x <= plot.bbox.left + plot.bbox.width);

/** The labels of the marks, on ground of their own, so that no curve runs through them. */
function drawMarkLabels(plot: uPlot, options: PlotOptions, em: number): void {
  if (options.small) return;
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio * em;
  const height = LABEL_HEIGHT * scale;
  ctx.save();
  ctx.font = `600 ${11 * scale}px ${FONT_FAMILY}`;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  // Beside the numbers of the epochs, where the curve is not.
  const top = options.epochsAt === 'top' ? bbox.top + height : bbox.top + bbox.height - 2 * height;
  const labels = marksInView(plot, options).map(({ x, words }) => {
    return { x, words, width: ctx.measureText(words).width + 8 * scale };
  });
  for (const { left, width, words } of placeLabels(labels, bbox.left, bbox.left + bbox.width)) {
    ctx.fillStyle = token('--surface');
    ctx.fillRect(left, top, width, height);
    ctx.fillStyle = token('--accent');
    ctx.fillText(words, left + 4 * scale, top + height / 2);
  }
  ctx.restore();
}

/** The labels that have room, right of their marks or left of them; those that would overlap the one before are left out. */
export function placeLabels<Label extends { x: number; width: number }>(
  labels: readonly Label[],
  from: number,
  to: number,
): (Label & { left: number })[] {
  let free = from;
  return labels.flatMap((label) => {
    const { x, width } = label;
    const left = x + 1 + width > to ? x - 1 - width : x + 1;
    if (left < free) return [];
    free = left + width;
    return [{ ...label, left }];
  });
}

/** The next of 1, 2, 5, 10, 20, 50 and so on. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [1, 2, 5, 10].map((digit) => digit * power).find((round) => round >= value) ?? 1;
}

/** The evaluations as a line with a point each; the points disappear when there are too many to distinguish. */
function drawEvaluations(plot: uPlot, options: PlotOptions): void {
  const { evaluations, pointColour, pointValue } = options;
  if (pointColour === undefined || evaluations.length === 0) return;
  const { ctx, bbox } = plot;
  const places = evaluations.map((evaluation) => ({
    x: plot.valToPos(options.placeOf(evaluation.step), 'x', true),
    y: plot.valToPos(pointValue(evaluation), 'y', true),
  }));
  const inView = places.filter(({ x }) => x >= bbox.left && x <= bbox.left + bbox.width);
  const spacing = bbox.width / Math.max(1, inView.length);
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top - 8, bbox.width + 16, bbox.height + 16);
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

/** Zero and what is negative lie below the scale; what is not a number is not drawn, as on linear scales. */
export const LOG_SCALE: uPlot.Scale = {
  distr: 3,
  log: 10,
  clamp: (_, value, low) => (Number.isNaN(value) ? NaN : low / 10),
};
