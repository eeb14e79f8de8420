/** The metrics of a training step and of an evaluation: one type for each, from the run to the page's charts. */
import {
  STEP_METRICS,
  evaluationMetrics,
  stepMetrics,
  type EvaluationKey,
  type LayerColumn,
  type OptionalEvaluationKey,
  type OptionalMetric,
  type StepKey,
} from './table.ts';

/** One training step: its number, from 1, and its metrics. Optional ones are present if the run computes them. */
export type StepRow = { step: number } & Record<Exclude<StepKey, OptionalMetric>, number> &
  Partial<Record<Extract<StepKey, OptionalMetric>, number>> &
  Partial<Record<LayerColumn, number>>;

/** A value of a row; each layer has its own column. */
export type Column = 'step' | StepKey | LayerColumn;

/** The network on the test set, and on the validation set if there is one, at some step of its run. */
export type Evaluation = {
  /** Steps and whole epochs trained before it. */
  step: number;
  epoch: number;
  /** classes x classes counts, row is the true class; absent if dropped to save memory. */
  confusion?: Uint32Array;
} & Record<Exclude<EvaluationKey, OptionalEvaluationKey>, number> &
  Partial<Record<OptionalEvaluationKey, number>>;

/** The accuracy by which a run's best state is chosen: that of the test only where no images are held back for it. */
export const choosingAccuracy = ({
  validationAccuracy,
  testAccuracy,
}: Pick<Evaluation, 'validationAccuracy' | 'testAccuracy'>): number => validationAccuracy ?? testAccuracy;

/** The best of some evaluations, the first of equal ones; undefined if there are none. */
export const bestEvaluation = (evaluations: readonly Evaluation[]): Evaluation | undefined =>
  evaluations.reduce<Evaluation | undefined>(
    (best, one) => (best && choosingAccuracy(best) >= choosingAccuracy(one) ? best : one),
    undefined,
  );

const COLUMNS: readonly Column[] = [
  'step',
  ...STEP_METRICS.filter((metric) => !('perLayer' in metric)).map(({ key }) => key as StepKey),
];
const LAYER_KEYS = stepMetrics.filter(({ perLayer }) => perLayer).map(({ key }) => key);

/** The metric that a column belongs to. */
export const metricOfColumn = (column: string): string => column.split('.', 1)[0];

export const isLayerColumn = (column: string): boolean =>
  column.includes('.') && LAYER_KEYS.includes(metricOfColumn(column));

/** The columns of rows like this one: all metrics with one value per step, then those of layers. */
export const columnsOf = (row: StepRow): Column[] => [
  ...COLUMNS,
  ...(Object.keys(row).filter(isLayerColumn) as LayerColumn[]),
];

/** Rows as consecutive numbers; NaN for unknown values. */
export const packRows = (rows: readonly StepRow[], columns: readonly Column[]): Float64Array<ArrayBuffer> =>
  Float64Array.from(rows.flatMap((row) => columns.map((column) => row[column] ?? NaN)));

/** The rows from `packRows`. */
export const unpackRows = (numbers: Float64Array, columns: readonly Column[]): StepRow[] =>
  Array.from(
    { length: Math.floor(numbers.length / columns.length) },
    (_, i) =>
      Object.fromEntries(columns.map((column, j) => [column, numbers[i * columns.length + j]])) as StepRow,
  );

/** The metrics of a step for a JSON line. */
export const stepLine = (row: StepRow): Record<string, number> => lineOf(stepMetrics, row);

/** The metrics of an evaluation for a JSON line. */
export const evaluationLine = (evaluation: Evaluation): Record<string, number> =>
  lineOf(evaluationMetrics, evaluation);

const lineOf = (metrics: readonly { key: string; json?: string }[], values: object): Record<string, number> =>
  Object.fromEntries(
    metrics.flatMap(({ key, json }) => {
      const value = (values as Record<string, number | undefined>)[key];
      return json === undefined || value === undefined ? [] : [[json, value]];
    }),
  );
