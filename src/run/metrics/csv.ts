/** metrics.csv of an archive: a row for each point of the curves and for each evaluation. */
import { Failure } from '../../base/result.ts';
import { columnNames, POINT_COLUMNS, type PointColumn, type Points } from './points.ts';
import { isLayerColumn, metricOfColumn, type Evaluation } from './rows.ts';
import { evaluationMetrics, stepMetrics } from './table.ts';

export interface Metrics {
  points: Points;
  /** In step order. */
  evaluations: readonly Evaluation[];
}

const EVALUATION_COLUMNS = evaluationMetrics.flatMap(({ key, csv }) => (csv ? [{ key, csv }] : []));

/** Unknown cells are empty, and columns without any value are omitted, except for those of version 0.1. */
export function writeMetrics({ points, evaluations }: Metrics): string {
  const columns = columnNames(points).flatMap((column) => {
    const csv = csvOf(column);
    return csv !== undefined && (isFirst(csv) || points[column]?.some(isKnown)) ? [{ column, csv }] : [];
  });
  const results = EVALUATION_COLUMNS.filter(
    ({ key, csv }) => isFirst(csv) || evaluations.some((one) => key in one),
  );
  const rows = new Map<number, string[]>();
  const blank = columns.map(() => '');
  points.step.forEach((step, i) => {
    rows.set(
      step,
      columns.map(({ column }) => cell(points[column]?.[i])),
    );
  });
  for (const evaluation of evaluations) {
    const { step, epoch } = evaluation;
    const values = results.map(({ key }) => cell((evaluation as unknown as Record<string, number>)[key]));
    rows.set(step, [...(rows.get(step) ?? blank), String(epoch), ...values]);
  }
  const head = ['step', ...columns.map(({ csv }) => csv), 'epoch', ...results.map(({ csv }) => csv)];
  const lines = [...rows]
    .sort(([a], [b]) => a - b)
    .map(([step, row]) => head.map((_, i) => (i === 0 ? step : (row[i - 1] ?? ''))).join(','));
  return `${[head.join(','), ...lines].join('\n')}\n`;
}

/** Unknown columns are ignored. @throws Failure `bad-file` */
export function readMetrics(csv: string): Metrics {
  const [first, ...lines] = csv.trimEnd().split(/\r?\n/);
  const head = first.split(',');
  const missing = FIRST.find((name) => !head.includes(name));
  if (missing !== undefined || head[0] !== 'step')
    throw bad(`its first line to start with step and contain ${FIRST.join(', ')}`, first.slice(0, 100));
  const at = (name: string) => head.indexOf(name);
  const columns = head.flatMap((name, place) => {
    const column = columnOf(name);
    return column ? [{ column, place }] : [];
  });
  const results = EVALUATION_COLUMNS.filter(({ csv: name }) => at(name) > 0);
  const curve: (number | undefined)[][] = [];
  const evaluations: Evaluation[] = [];
  let before = 0;
  for (const [i, line] of lines.entries()) {
    const cells = line.split(',');
    const numbers = cells.map((text) =>
      /^(-?[\d.]+(e[+-]?\d+)?|NaN|-?Infinity)$/.test(text) ? Number(text) : undefined,
    );
    const [step = NaN] = numbers;
    const wrong = cells.some((text, place) => text !== '' && numbers[place] === undefined);
    if (cells.length !== head.length || wrong || !Number.isInteger(step) || !(step > before)) {
      throw bad(`line ${i + 2} to have ${head.length} numbers, with increasing steps`, line.slice(0, 100));
    }
    before = step;
    if (columns.some(({ place }) => numbers[place] !== undefined)) curve.push(numbers);
    const values = results.flatMap(({ key, csv: name }) => {
      const value = numbers[at(name)];
      return value === undefined ? [] : [[key, value] as const];
    });
    const epoch = numbers[at('epoch')];
    if (epoch !== undefined && values.length > 0)
      evaluations.push({ step: before, epoch, ...Object.fromEntries(values) } as Evaluation);
  }
  const points = {
    step: Float64Array.from(curve, ([step]) => step as number),
    ...Object.fromEntries(
      columns.map(({ column, place }) => [column, Float32Array.from(curve, (row) => row[place] ?? NaN)]),
    ),
  } as Points;
  return { points, evaluations };
}

/** Columns of version 0.1, which every file contains. */
const FIRST = ['loss', 'smooth_loss', 'accuracy', 'smooth_accuracy', 'epoch', 'test_loss', 'test_accuracy'];
const isFirst = (csv: string) => FIRST.includes(csv);

const isKnown = (value: number) => !Number.isNaN(value);
const cell = (value: number | undefined): string =>
  value === undefined || Number.isNaN(value) ? '' : String(value);

/** "gradientNorm" as "gradient_norm", "updateRatio.conv1" as "update_ratio.conv1". */
function csvOf(column: PointColumn): string | undefined {
  if (!isLayerColumn(column)) return POINT_COLUMNS.find((one) => one.column === column)?.csv;
  const { csv, key = '' } = stepMetrics.find((one) => one.key === metricOfColumn(column)) ?? {};
  return csv && `${csv}${column.slice(key.length)}`;
}

function columnOf(csv: string): PointColumn | undefined {
  const [name] = csv.split('.', 1);
  const metric = stepMetrics.find((one) => one.perLayer && one.csv === name);
  if (metric && csv.includes('.')) return `${metric.key}${csv.slice(name.length)}` as PointColumn;
  return POINT_COLUMNS.find((one) => one.csv === csv)?.column;
}

const bad = (expected: string, found: string): Failure =>
  new Failure(
    'bad-file',
    `metrics.csv: expected ${expected}, found ${found}`,
    'Choose an archive that wgrad exported.',
  );
