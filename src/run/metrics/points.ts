/** A run's saved curves: columns of equal length, in step order. */
import {
  smoothKey,
  stepMetrics,
  type CurveKey,
  type LayerColumn,
  type SmoothedKey,
  type SmoothKey,
} from './table.ts';

/** `seconds`: of training until then. */
export type PointColumn = CurveKey | SmoothKey | LayerColumn | 'seconds';

/** Columns other than the smoothed metrics may be absent. */
export type Points = { step: Float64Array } & Record<SmoothedKey | SmoothKey, Float32Array> &
  Partial<Record<PointColumn, Float32Array>>;

/** Columns of one value per step, in the order of the table, with their names in metrics.csv. */
export const POINT_COLUMNS: readonly { column: PointColumn; csv: string | undefined }[] = [
  ...stepMetrics.flatMap(({ key, csv, merge, smoothed, perLayer }) => {
    if (!merge || perLayer) return [];
    const smooth = { column: smoothKey(key), csv: csv && `smooth_${csv}` };
    return [{ column: key as CurveKey, csv }, ...(smoothed ? [smooth] : [])];
  }),
  { column: 'seconds', csv: 'seconds' },
];

/** No screen shows more points than this. */
const MAX_POINTS = 1024;

export const columnNames = (points: object): PointColumn[] =>
  Object.keys(points).filter((name) => name !== 'step') as PointColumn[];

/** The curves of a run without steps. */
export const noPoints = (): Points => {
  const columns = POINT_COLUMNS.map(({ column }) => [column, new Float32Array()]);
  return { step: new Float64Array(), ...Object.fromEntries(columns) } as Points;
};

/** Reduced to at most MAX_POINTS: each is the mean of neighbours, at the last one's step. */
export function thinned(points: Points): Points {
  const count = points.step.length;
  const group = Math.max(1, Math.ceil(count / MAX_POINTS));
  const length = Math.ceil(count / group);
  const end = (i: number) => Math.min(count, (i + 1) * group);
  const mean = (values: Float32Array) =>
    Float32Array.from({ length }, (_, i) => {
      let sum = 0;
      for (let j = i * group; j < end(i); j++) sum += values[j];
      return sum / (end(i) - i * group);
    });
  return mapped(
    points,
    Float64Array.from({ length }, (_, i) => points.step[end(i) - 1]),
    (values, name) =>
      name === 'seconds' ? Float32Array.from({ length }, (_, i) => values[end(i) - 1]) : mean(values),
  );
}

const mapped = (
  points: Points,
  step: Float64Array,
  to: (values: Float32Array, name: PointColumn) => Float32Array,
): Points => {
  const columns = columnNames(points).map((name) => [name, to(points[name] as Float32Array, name)]);
  return { step, ...Object.fromEntries(columns) } as Points;
};
