/** A result as files, with everything needed to judge it: source, device, browser, method, date. */
import type { BarFigure, StudyInfo, StudyLine } from '../../../worker/api.ts';
import { isBar } from './figures.ts';
import type { MeasuredStudy } from './studies-store.ts';

interface Context {
  link: string;
  browser: string;
}

/** Everything, for programs. */
export function jsonReport(study: StudyInfo, measured: MeasuredStudy, { link, browser }: Context): string {
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
    adapter: adapter && {
      description: adapter.description,
      vendor: adapter.vendor,
      architecture: adapter.architecture,
      software: adapter.software,
      cpu: adapter.cpu,
      timestamps: adapter.timestamps,
      features: adapter.features,
    },
    browser,
    method,
    published,
    lines,
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

const COLUMNS = [
  ...['study', 'size', 'date', 'adapter', 'browser', 'figure', 'case', 'bar', 'published_ratio'],
  ...['ratio', 'ratio_low', 'ratio_high', 'median_ms', 'p10_ms', 'p90_ms', 'samples', 'calls', 'clock'],
  ...['detail', 'missing', 'column', 'value'],
] as const;

type Row = Partial<Record<(typeof COLUMNS)[number], string | number | null | undefined>>;

/** One row per bar, and one per cell of a table. */
export function csvReport(
  study: StudyInfo,
  { date, adapter, small, lines }: MeasuredStudy,
  { browser }: Pick<Context, 'browser'>,
): string {
  const about: Row = {
    study: study.name,
    size: small ? 'small' : 'full',
    date: date.toISOString(),
    adapter: adapter?.description,
    browser,
  };
  const rows = lines.flatMap((line) => rowsOf(study, line)).map((row): Row => ({ ...about, ...row }));
  const text = rows.map((row) => COLUMNS.map((column) => quoted(row[column])).join(','));
  return `${[COLUMNS.join(','), ...text].join('\r\n')}\r\n`;
}

function rowsOf(study: StudyInfo, line: StudyLine): Row[] {
  const figure = study.figures.find(({ name }) => name === line.figure);
  if (isBar(line)) {
    const { time, ratio, case: where, bar, detail, missing } = line;
    const published = (figure as BarFigure | undefined)?.published?.find(
      (one) => one.bar === bar && (one.case ?? where) === where,
    );
    return [
      {
        figure: line.figure,
        case: where,
        bar,
        published_ratio: published?.ratio,
        ratio: ratio?.value,
        ratio_low: ratio?.low,
        ratio_high: ratio?.high,
        median_ms: time?.median,
        p10_ms: time?.p10,
        p90_ms: time?.p90,
        samples: time?.samples,
        calls: time?.calls,
        clock: time?.clock,
        detail,
        missing,
      },
    ];
  }
  const keys = figure?.kind === 'table' ? figure.columns.filter(({ key }) => key) : [];
  const where = keys.map(({ name }) => line.cells[name]).join(', ');
  return Object.entries(line.cells)
    .filter(([column]) => keys.every(({ name }) => name !== column))
    .map(([column, value]) => ({ figure: line.figure, case: where, column, value }));
}

function quoted(value: string | number | null | undefined): string {
  const text = value === undefined || value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
