/** What a figure shows: the source's numbers, this machine's and another's, joined. */
import type {
  BarFigure,
  BarLine,
  PublishedBar,
  RowLine,
  StudyCell,
  StudyLine,
  StudyResult,
  TableFigure,
} from '../../../worker/api.ts';

export const isBar = (line: StudyLine): line is BarLine => 'bar' in line;

export interface FigureLane {
  bar: string;
  look: string | undefined;
  published: PublishedBar | undefined;
  here: BarLine | undefined;
  other: BarLine | undefined;
}

export interface FigureCase {
  name: string;
  lanes: FigureLane[];
}

const barsOf = (figure: BarFigure, lines: readonly StudyLine[]): BarLine[] =>
  lines.filter(isBar).filter((line) => line.figure === figure.name);

/** The cases of a figure in the order in which they were published or measured. Bars without any number are left out. */
export function casesOf(
  figure: BarFigure,
  here: readonly StudyLine[],
  other: readonly StudyLine[],
): FigureCase[] {
  const [own, others] = [barsOf(figure, here), barsOf(figure, other)];
  const published = figure.published ?? [];
  const named = published.flatMap((one) => one.case ?? []);
  // The full set of another machine has the order, of which a short run has a part, or cases of its own.
  const theirs = new Set(others.map((line) => line.case));
  const onlyHere = own.map((line) => line.case).filter((name) => !theirs.has(name));
  const names = [...new Set([...named, ...onlyHere, ...theirs])];
  return names.map((name) => {
    const of = (lines: readonly BarLine[], bar: string) =>
      lines.findLast((line) => line.case === name && line.bar === bar);
    const lanes = figure.bars.map(({ name: bar, look }) => ({
      bar,
      look,
      published: published.find((one) => one.bar === bar && (one.case ?? name) === name),
      here: of(own, bar),
      other: of(others, bar),
    }));
    return { name, lanes: lanes.filter((lane) => lane.published ?? lane.here ?? lane.other) };
  });
}

export type Cells = Readonly<Record<string, StudyCell>>;

/** What tells a table's rows apart. */
export const rowKey = ({ columns }: TableFigure, cells: Cells): string =>
  JSON.stringify(columns.filter(({ key }) => key).map(({ name }) => cells[name]));

/** The rows of a table: those that are given, with the cells that were measured, and rows that were only measured; with quotients. */
export function rowsOf(figure: TableFigure, lines: readonly StudyLine[]): Cells[] {
  const rows = new Map((figure.given ?? []).map((cells): [string, Cells] => [rowKey(figure, cells), cells]));
  const measured = lines.filter((line): line is RowLine => !isBar(line) && line.figure === figure.name);
  for (const { cells } of measured) {
    const key = rowKey(figure, cells);
    rows.set(key, { ...rows.get(key), ...cells });
  }
  for (const { name, quotient: [dividend, divisor] = [] } of figure.columns) {
    if (dividend === undefined || divisor === undefined) continue;
    for (const [key, cells] of rows) {
      const value = Number(cells[dividend] ?? NaN) / Number(cells[divisor] ?? NaN);
      if (Number.isFinite(value)) rows.set(key, { ...cells, [name]: value });
    }
  }
  const { sorted } = figure;
  if (sorted === undefined) return [...rows.values()];
  const size = (cells: Cells) => Number(cells[sorted] ?? -1);
  return [...rows.values()].sort((a, b) => size(b) - size(a));
}

/** A logarithmic axis of ratios around 1. */
export interface RatioAxis {
  /** 0 to 1. */
  at(ratio: number): number;
  ticks: number[];
}

export function ratioAxis(ratios: readonly number[]): RatioAxis {
  const usable = [1, ...ratios].filter((ratio) => ratio > 0 && Number.isFinite(ratio));
  // Room for marks at the ends.
  const low = Math.log10(Math.min(...usable)) - 0.06;
  const high = Math.max(Math.log10(Math.max(...usable)) + 0.06, low + 0.4);
  const at = (ratio: number) => Math.min(1, Math.max(0, (Math.log10(ratio) - low) / (high - low)));
  const steps = high - low > 1.6 ? [1] : high - low > 0.75 ? [1, 2, 5] : [1, 1.5, 2, 3, 5, 7];
  const ticks: number[] = [];
  for (let power = Math.floor(low); power <= high; power++) {
    for (const step of steps) {
      const tick = step * 10 ** power;
      if (Math.log10(tick) >= low && Math.log10(tick) <= high) ticks.push(tick);
    }
  }
  return { at, ticks };
}

/** All ratios of cases, for an axis that they share. */
export const ratiosOf = (cases: readonly FigureCase[]): number[] =>
  cases.flatMap(({ lanes }) =>
    lanes.flatMap(({ published, here, other }) =>
      [published?.ratio, here?.ratio?.value, other?.ratio?.value].filter((ratio) => ratio !== undefined),
    ),
  );

/** What another machine is called in a legend: "NVIDIA H200", without its driver. */
export const shortName = ({ adapter }: Pick<StudyResult, 'adapter'>): string =>
  adapter.replace(/ \(.*\)$/, '');

/** A ratio as a report states it, to three digits: "11.8×", "0.075×". */
export const ratioText = (ratio: number): string => {
  const rounded = Number(ratio.toPrecision(3));
  return `${rounded >= 100 ? Math.round(rounded).toLocaleString('en') : rounded.toPrecision(3)}×`;
};
