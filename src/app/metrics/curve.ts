/** The curves of the open run: its steps as columns of bounded length. */
import { columnNames, type Points } from '../../run/metrics/points.ts';
import { isLayerColumn, metricOfColumn, type StepRow } from '../../run/metrics/rows.ts';
import {
  bandKeys,
  smoothKey,
  stepMetrics,
  type BandKey,
  type CurveKey,
  type LayerColumn,
  type SmoothKey,
} from '../../run/metrics/table.ts';

const EDGE = 10;

/** The smoothed curves look back over an eighth of the run, but over no more steps than this unless it is changed. */
const DEFAULT_LOOK_BACK = 64;

type CurveColumn = CurveKey | LayerColumn;

/** The columns of a curve's points, in step order; only the first `count` entries of each are valid. */
export type CurvePoints = { step: Float64Array } & {
  /** Seconds of training until then. */
  seconds: Float64Array;
} & Record<CurveKey | SmoothKey | BandKey, Float32Array> &
  Record<LayerColumn, Float32Array>;

/** One metric, or one layer's value of it. */
interface Line {
  column: CurveColumn;
  merge: 'mean' | 'last';
  values: Float32Array;
  /** Of the steps of the point under way. */
  sum: number;
  /** The moving average so far, and its column. */
  smooth?: { mean: number; values: Float32Array };
  band?: { low: Float32Array; high: Float32Array; lowest: number; highest: number };
}

/**
 * Metrics by training step, in bounded memory. Each point stands for `stride` steps; when `capacity` is reached,
 * neighbours are merged and the stride doubles, so that a run of any length keeps its whole shape. The first and the last
 * rows are kept as they came.
 */
export class Curve {
  readonly points: CurvePoints;
  count = 0;
  /** Steps per point. */
  stride = 1;
  /** Images per step, from which its time follows. */
  batchSize = 0;
  /** The first rows of the run, unmerged. */
  readonly head: StepRow[] = [];
  /** The newest rows, unmerged. */
  readonly tail: StepRow[] = [];

  private lines: Line[] = [];
  private inPoint = 0;
  private seconds = 0;
  private longest = DEFAULT_LOOK_BACK;

  constructor(private readonly capacity = 16384) {
    const columns = { step: new Float64Array(capacity), seconds: new Float64Array(capacity) };
    this.points = columns as CurvePoints;
    for (const { key, merge, perLayer } of stepMetrics) if (merge && !perLayer) this.addLine(key as CurveKey);
  }

  get last(): StepRow | undefined {
    return this.tail.at(-1);
  }

  /** Columns of a metric that has one per layer, in the network's order. */
  layersOf(metric: string): LayerColumn[] {
    return this.lines.flatMap(({ column }) =>
      isLayerColumn(column) && metricOfColumn(column) === metric ? [column as LayerColumn] : [],
    );
  }

  clear(): void {
    this.count = 0;
    this.stride = 1;
    this.head.length = 0;
    this.tail.length = 0;
    this.seconds = 0;
    // The next run may have other layers.
    this.lines = this.lines.filter(({ column }) => {
      if (isLayerColumn(column)) delete (this.points as Partial<CurvePoints>)[column];
      return !isLayerColumn(column);
    });
    for (const { smooth } of this.lines) if (smooth) smooth.mean = NaN;
    this.emptyPoint();
  }

  /** Appends rows. A step that is not after the last one replaces everything from it on. */
  append(rows: readonly StepRow[]): void {
    for (const row of rows) {
      if (this.last && row.step <= this.last.step) this.rewind(row.step - 1);
      this.push(row);
    }
  }

  /** Discards what came after `step`. */
  rewind(step: number): void {
    while (this.head.length > 0 && this.head[this.head.length - 1].step > step) this.head.pop();
    while (this.tail.length > 0 && this.tail[this.tail.length - 1].step > step) this.tail.pop();
    while (this.count > 0 && this.points.step[this.count - 1] > step) this.count--;
    this.emptyPoint();
    const end = this.count - 1;
    if (this.tail.length === 0) {
      const beyondHead = end >= 0 && this.points.step[end] > (this.head.at(-1)?.step ?? 0);
      this.tail.push(...(beyondHead ? [this.rowAt(end)] : this.head));
    }
    this.seconds = end < 0 ? 0 : this.points.seconds[end];
    for (const { smooth } of this.lines) if (smooth) smooth.mean = end < 0 ? NaN : smooth.values[end];
  }

  /** Over how many steps the smoothed curves look back at most; 1 smooths nothing. Setting it smooths all points again. */
  get lookBack(): number {
    return this.longest;
  }

  set lookBack(steps: number) {
    this.longest = steps;
    for (const { smooth } of this.lines) if (smooth) smooth.mean = NaN;
    for (let i = 0; i < this.count; i++) {
      this.smooth(this.points.step[i], this.stride, (line) => line.values[i]);
      for (const { smooth } of this.lines) if (smooth) smooth.values[i] = smooth.mean;
    }
  }

  /** A point as a row, where the rows themselves are no longer kept. */
  private rowAt(point: number): StepRow {
    const metrics = this.lines.map(({ column, values }) => [column, values[point]]);
    return { step: this.points.step[point], imagesPerSecond: NaN, ...Object.fromEntries(metrics) } as StepRow;
  }

  private push(row: StepRow): void {
    if (this.head.length < EDGE) this.head.push(row);
    this.tail.push(row);
    if (this.tail.length > EDGE) this.tail.shift();
    for (const column of Object.keys(row))
      if (isLayerColumn(column) && !(column in this.points)) this.addLine(column as LayerColumn);

    this.smooth(row.step, 1, ({ column }) => row[column] ?? NaN);
    const took = this.batchSize / row.imagesPerSecond;
    if (Number.isFinite(took)) this.seconds += took;
    for (const line of this.lines) {
      const value = row[line.column] ?? NaN;
      line.sum += value;
      if (!line.band) continue;
      line.band.lowest = Math.min(line.band.lowest, value);
      line.band.highest = Math.max(line.band.highest, value);
    }
    if (++this.inPoint < this.stride) return;

    const { points, count } = this;
    points.step[count] = row.step;
    points.seconds[count] = this.seconds;
    for (const { column, merge, values, sum, smooth, band } of this.lines) {
      values[count] = merge === 'mean' ? sum / this.inPoint : (row[column] ?? NaN);
      if (smooth) smooth.values[count] = smooth.mean;
      if (!band) continue;
      band.low[count] = band.lowest;
      band.high[count] = band.highest;
    }
    this.count++;
    this.emptyPoint();
    if (this.count === this.capacity) this.halve();
  }

  /** Moves the means towards a point of so many steps. */
  private smooth(step: number, steps: number, valueOf: (line: Line) => number): void {
    const smoothed = this.lines.flatMap((line) =>
      line.smooth ? [{ smooth: line.smooth, value: valueOf(line) }] : [],
    );
    // A loss that is not finite would stay in the average forever.
    if (!smoothed.every(({ value }) => Number.isFinite(value))) return;
    const kept = 1 - 1 / Math.min(this.longest, 1 + step / 8);
    const share = 1 - kept ** steps;
    for (const { smooth, value } of smoothed) smooth.mean = blend(smooth.mean, value, share);
  }

  /** Merges neighbouring points. */
  private halve(): void {
    const half = this.count >> 1;
    const last = (column: Float32Array | Float64Array) => {
      for (let i = 0; i < half; i++) column[i] = column[2 * i + 1];
    };
    const both = (column: Float32Array, merge: (a: number, b: number) => number) => {
      for (let i = 0; i < half; i++) column[i] = merge(column[2 * i], column[2 * i + 1]);
    };
    last(this.points.step);
    last(this.points.seconds);
    for (const { merge, values, smooth, band } of this.lines) {
      if (merge === 'last') last(values);
      else both(values, (a, b) => (a + b) / 2);
      if (smooth) last(smooth.values);
      if (!band) continue;
      both(band.low, Math.min);
      both(band.high, Math.max);
    }
    this.count = half;
    this.stride *= 2;
  }

  private emptyPoint(): void {
    this.inPoint = 0;
    for (const line of this.lines) {
      line.sum = 0;
      if (!line.band) continue;
      line.band.lowest = Infinity;
      line.band.highest = -Infinity;
    }
  }

  /** A column that was not there before has no values so far. */
  private addLine(column: CurveColumn): void {
    const {
      merge = 'mean',
      smoothed,
      band,
    } = stepMetrics.find(({ key }) => key === metricOfColumn(column)) ?? {};
    const add = (name: CurveColumn | SmoothKey | BandKey) =>
      (this.points[name] = new Float32Array(this.capacity).fill(NaN, 0, this.count));
    const line: Line = { column, merge, values: add(column), sum: NaN };
    if (this.inPoint === 0) line.sum = 0;
    if (smoothed) line.smooth = { mean: NaN, values: add(smoothKey(column)) };
    if (band) {
      const [low, high] = bandKeys(column);
      line.band = { low: add(low), high: add(high), lowest: Infinity, highest: -Infinity };
    }
    this.lines.push(line);
  }
}

/** Moves a mean a share of the way to a new value; a mean without values so far starts at it. */
const blend = (mean: number, value: number, share: number): number =>
  Number.isNaN(mean) ? value : mean + share * (value - mean);

/** Kept points as rows; each lasts as long as the steps that it stands for. */
export function rowsOf(points: Points, batchSize: number): StepRow[] {
  const columns = columnNames(points).filter((name) =>
    stepMetrics.some(({ key }) => key === metricOfColumn(name)),
  );
  const { step: steps, seconds } = points;
  return Array.from(steps, (step, i) => {
    const took = seconds ? seconds[i] - (i > 0 ? seconds[i - 1] : 0) : NaN;
    const values = columns.map((name) => [name, points[name]?.[i]]);
    return { step, imagesPerSecond: batchSize / took, ...Object.fromEntries(values) } as StepRow;
  });
}
