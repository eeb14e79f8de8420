/** A result as files, with everything needed to judge it: source, device, browser, method, date. */
import { csvOf, type CsvValue } from '../../../base/csv.ts';
import type { BarLine, StudyCell, StudyInfo, StudyLine } from '../../../worker/api.ts';
import { isBar } from './figures.ts';
import type { MeasuredStudy } from './studies-store.ts';

interface ReportContext {
  link: string;
  browser: string;
}

/** Everything, for programs. */
export function jsonReport(
  study: StudyInfo,
  measured: MeasuredStudy,
  { link, browser }: ReportContext,
): string {
  const { name, title, source, method, published } = study;
  const { date, adapter, small, state, seconds, lines } = measured;
  const report = {
    program: 'wgrad',
    format: 1,
    study: name,
    title,
    source,
    size: small ? 'small' : 'full',
    complete: state === 'done',
    date: date.toISOString(),
    seconds,
    link,
    adapter,
    browser,
    method,
    published,
    lines,
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/** A bar, or a cell of a table. */
interface ReportRow {
  figure: string;
  case: string;
  line?: BarLine;
  published?: number | undefined;
  column?: string;
  value?: StudyCell;
}

type ReportColumn = readonly [name: string, value: (row: ReportRow) => CsvValue];

/** One row per bar, and one per cell of a table. */
export function csvReport(
  study: StudyInfo,
  { date, adapter, small, lines }: MeasuredStudy,
  { browser }: Pick<ReportContext, 'browser'>,
): string {
  const columns: readonly ReportColumn[] = [
    ['study', () => study.name],
    ['size', () => (small ? 'small' : 'full')],
    ['date', () => date.toISOString()],
    ['adapter', () => adapter?.description],
    ['browser', () => browser],
    ...COLUMNS,
  ];
  return csvOf(
    columns,
    lines.flatMap((line) => rowsOf(study, line)),
  );
}

const COLUMNS: readonly ReportColumn[] = [
  ['figure', ({ figure }) => figure],
  ['case', (row) => row.case],
  ['bar', ({ line }) => line?.bar],
  ['published_ratio', ({ published }) => published],
  ['ratio', ({ line }) => line?.ratio?.value],
  ['ratio_low', ({ line }) => line?.ratio?.low],
  ['ratio_high', ({ line }) => line?.ratio?.high],
  ['median_ms', ({ line }) => line?.time?.median],
  ['p10_ms', ({ line }) => line?.time?.p10],
  ['p90_ms', ({ line }) => line?.time?.p90],
  ['samples', ({ line }) => line?.time?.samples],
  ['calls', ({ line }) => line?.time?.calls],
  ['clock', ({ line }) => line?.time?.clock],
  ['detail', ({ line }) => line?.detail],
  ['missing', ({ line }) => line?.missing],
  ['column', ({ column }) => column],
  ['value', ({ value }) => value],
];

function rowsOf(study: StudyInfo, line: StudyLine): ReportRow[] {
  const figure = study.figures.find(({ name }) => name === line.figure);
  if (isBar(line)) {
    const { case: name, bar } = line;
    const of = figure?.kind === 'bars' ? figure.published : [];
    const published = of?.find((one) => one.bar === bar && (one.case ?? name) === name);
    return [{ figure: line.figure, case: name, line, published: published?.ratio }];
  }
  const keys = figure?.kind === 'table' ? figure.columns.filter(({ key }) => key) : [];
  const where = keys.map(({ name }) => line.cells[name]).join(', ');
  return Object.entries(line.cells)
    .filter(([column]) => keys.every(({ name }) => name !== column))
    .map(([column, value]) => ({ figure: line.figure, case: where, column, value }));
}
