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

/**
 * Rows of a file at most. A run of 2^53 steps has 340,000 points; evaluations are those of the last epochs, if there are
 * more than fit.
 */
const MAX_ROWS = 2 ** 19;
/** Layers have some columns each. */
const MAX_COLUMNS = 2 ** 15;

const EVALUATION_COLUMNS = evaluationMetrics.flatMap(({ key, csv }) => (csv ? [{ key, csv }] : []));

/** Unknown cells are empty, and columns without any value are omitted, except for the first ones. */
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
  for (const evaluation of evaluations.slice(-Math.max(1, MAX_ROWS - rows.size))) {
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
  const whole = csv.trimEnd();
  requireFewRows(whole);
  const [first, ...lines] = whole.split(/\r?\n/);
  const head = first.split(',', MAX_COLUMNS + 1);
  if (head.length > MAX_COLUMNS) throw bad(`at most ${MAX_COLUMNS} columns`, 'more');
  const missing = FIRST.find((name) => !head.includes(name));
  if (missing !== undefined || head[0] !== 'step')
    throw bad(`its first line to start with step and contain ${FIRST.join(', ')}`, first.slice(0, 100));
  const at = (name: string) => head.indexOf(name);
  const columns = head.flatMap((name, place) => {
    const column = columnOf(name);
    return column ? [{ column, place, values: new Array<number>() }] : [];
  });
  const results = EVALUATION_COLUMNS.filter(({ csv: name }) => at(name) > 0);
  const steps: number[] = [];
  const evaluations: Evaluation[] = [];
  let before = 0;
  for (const [i, line] of lines.entries()) {
    const cells = line.split(',', head.length + 1);
    const numbers = cells.map((text) =>
      /^(-?[\d.]+(e[+-]?\d+)?|NaN|-?Infinity)$/.test(text) ? Number(text) : undefined,
    );
    const [step = NaN] = numbers;
    const wrong = cells.some((text, place) => text !== '' && numbers[place] === undefined);
    if (cells.length !== head.length || wrong || !Number.isInteger(step) || !(step > before)) {
      throw bad(`line ${i + 2} to have ${head.length} numbers, with increasing steps`, line.slice(0, 100));
    }
    before = step;
    if (columns.some(({ place }) => numbers[place] !== undefined)) {
      steps.push(step);
      for (const { place, values } of columns) values.push(numbers[place] ?? NaN);
    }
    const found = results.flatMap(({ key, csv: name }) => {
      const value = numbers[at(name)];
      return value === undefined ? [] : [[key, value] as const];
    });
    const epoch = numbers[at('epoch')];
    if (epoch !== undefined && found.length > 0)
      evaluations.push({ step: before, epoch, ...Object.fromEntries(found) } as Evaluation);
  }
  const points = {
    step: Float64Array.from(steps),
    ...Object.fromEntries(columns.map(({ column, values }) => [column, Float32Array.from(values)])),
  } as Points;
  return { points, evaluations };
}

/** Before the lines are taken apart, which takes many times the memory of the text. @throws Failure `bad-file` */
function requireFewRows(text: string): void {
  let rows = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
    if (++rows > MAX_ROWS)
      throw bad(
        `at most ${MAX_ROWS} rows`,
        `another one in line ${rows + 1}: ${text.slice(at + 1, at + 100)}`,
      );
}

/** Columns that every file contains. */
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
