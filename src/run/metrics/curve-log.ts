/**
 * The whole curves of a run, in bounded memory. Every step is a point until step 16,383; from there on, each doubling of
 * the run's length doubles the steps per point and so adds 8,192 points. Points never change once they are complete, so
 * they can be appended to files.
 */
import { columnNames, type PointColumn, type Points } from './points.ts';
import { isLayerColumn, metricOfColumn, type StepRow } from './rows.ts';
import { smoothKey, stepMetrics } from './table.ts';

/** Points of each doubling. */
const FINE_POINTS = 8192;
/** The moving averages look back over an eighth of the run, and over at most so many steps. */
const LOOK_BACK = 64;

/** Steps per point at a step. */
const strideAt = (step: number): number => 2 ** Math.max(0, Math.floor(Math.log2(step / FINE_POINTS)));

const METRICS = stepMetrics.filter(({ merge }) => merge);
const metricOf = (column: string) => METRICS.find(({ key }) => key === metricOfColumn(column));

export class CurveLog {
  private readonly columns = new Map<string, number[]>([['step', []]]);
  /** The rows of the point under way. */
  private rows: StepRow[] = [];
  private readonly averages = new Map<string, number>();
  private seconds = 0;
  /** The first point that has changed since it was last set to Infinity. */
  changedFrom = 0;

  /** @param batchSize images per step, from which times follow */
  constructor(
    private readonly batchSize: number,
    points?: Points,
  ) {
    if (!points) return;
    this.columns.set('step', [...points.step]);
    for (const name of columnNames(points)) this.columns.set(name, [...(points[name] ?? [])]);
    this.continueFromEnd();
  }

  /** Points so far. */
  get count(): number {
    return this.steps.length;
  }

  /** The last step of the last point; 0 before the first. */
  get lastStep(): number {
    return this.rows.at(-1)?.step ?? this.steps.at(-1) ?? 0;
  }

  /** Appends rows. A step that is not after the last one replaces everything from it on. */
  add(rows: readonly StepRow[]): void {
    for (const row of rows) {
      if (row.step <= this.lastStep) this.cut(row.step - 1);
      this.average(row);
      const took = this.batchSize / row.imagesPerSecond;
      if (Number.isFinite(took)) this.seconds += took;
      this.rows.push(row);
      if (row.step % strideAt(row.step) === 0) this.complete();
    }
  }

  /** Completes the last point, which then stands for fewer steps. */
  complete(): void {
    const { rows, columns, count } = this;
    const last = rows.at(-1);
    if (!last) return;
    const values = new Map<string, number>([
      ['step', last.step],
      ['seconds', this.seconds],
      ...this.averages,
    ]);
    for (const column of Object.keys(last)) {
      const metric = metricOf(column);
      if (!metric) continue;
      const all = rows.map((row) => (row as unknown as Record<string, number>)[column] ?? NaN);
      const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
      values.set(column, metric.merge === 'mean' ? mean : (all.at(-1) as number));
    }
    for (const name of values.keys())
      if (!columns.has(name)) columns.set(name, Array<number>(count).fill(NaN));
    for (const [name, column] of columns) column.push(values.get(name) ?? NaN);
    this.changedFrom = Math.min(this.changedFrom, count);
    this.rows = [];
  }

  /** Discards what came after `step`. */
  cut(step: number): void {
    const found = this.steps.findIndex((one) => one > step);
    const count = found < 0 ? this.count : found;
    if (count === this.count && (this.rows.at(-1)?.step ?? 0) <= step) return;
    for (const column of this.columns.values()) column.length = count;
    this.changedFrom = Math.min(this.changedFrom, count);
    this.rows = this.rows.filter((row) => row.step <= step);
    if (this.rows.length === 0) this.continueFromEnd();
  }

  /** The complete points from one on, up to but without another. */
  points(from = 0, to = this.count): Points {
    const columns = [...this.columns].map(([name, values]) => {
      const part = values.slice(from, to);
      return [name, name === 'step' ? Float64Array.from(part) : Float32Array.from(part)];
    });
    return Object.fromEntries(columns) as Points;
  }

  /** So many values of a column at equal distances, for a small picture. */
  sketch(column: PointColumn, most: number): number[] {
    const values = this.columns.get(column) ?? [];
    const count = Math.min(most, values.length);
    const at = (i: number) => Math.round((i * (values.length - 1)) / Math.max(1, count - 1));
    return Array.from({ length: count }, (_, i) => Number(values[at(i)].toPrecision(4)));
  }

  private get steps(): number[] {
    return this.columns.get('step') as number[];
  }

  /** The averages and the time of the last point. */
  private continueFromEnd(): void {
    this.averages.clear();
    for (const { key, smoothed } of METRICS) {
      const before = smoothed ? this.columns.get(smoothKey(key))?.at(-1) : undefined;
      if (before !== undefined) this.averages.set(smoothKey(key), before);
    }
    this.seconds = this.columns.get('seconds')?.at(-1) ?? 0;
    if (Number.isNaN(this.seconds)) this.seconds = 0;
  }

  private average(row: StepRow): void {
    const values = METRICS.filter(({ smoothed, key }) => smoothed && !isLayerColumn(key)).map(
      ({ key }) => [smoothKey(key), (row as unknown as Record<string, number>)[key]] as const,
    );
    const share = 1 / Math.min(LOOK_BACK, 1 + row.step / 8);
    for (const [name, value] of values) {
      const before = this.averages.get(name) ?? NaN;
      const after = Number.isNaN(before) ? value : before + share * (value - before);
      // A loss that is not finite would stay in the average forever.
      this.averages.set(name, Number.isFinite(value) ? after : before);
    }
  }
}
