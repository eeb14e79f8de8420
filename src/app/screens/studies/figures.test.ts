import { describe, expect, test } from 'vitest';
import type { BarFigure, BarLine, StudyInfo, TableFigure } from '../../../worker/api.ts';
import { casesOf, ratioAxis, ratiosOf, ratioText, rowsOf, shortName } from './figures.ts';
import { csvReport, jsonReport } from './report.ts';
import type { MeasuredStudy } from './studies-store.ts';

const bars: BarFigure = {
  kind: 'bars',
  name: 'bars',
  title: 'Bars',
  explanation: '',
  base: 'a',
  bars: [{ name: 'a' }, { name: 'b' }],
  published: [{ case: 'one', bar: 'b', ratio: 11.8, printed: '11.8 times' }],
};
const table: TableFigure = {
  kind: 'table',
  name: 'table',
  title: 'Table',
  explanation: '',
  columns: [
    { name: 'key', title: 'Key', key: true },
    { name: 'said', title: 'Said', published: true },
    { name: 'here', title: 'Here', unit: 'count' },
  ],
  given: [{ key: 'x', said: 'yes' }],
};
const bar = (where: string, name: string, value: number): BarLine => ({
  figure: 'bars',
  case: where,
  bar: name,
  time: { median: value, p10: value, p90: value, samples: 3, calls: 10, clock: 'wall' },
  ratio: { value, low: value / 2, high: 2 * value },
});

test('published and measured bars are joined by case; cases come in the order of publication', () => {
  const cases = casesOf(bars, [bar('two', 'a', 1), bar('one', 'b', 3)], [bar('one', 'b', 5)]);
  expect(cases.map(({ name }) => name)).toEqual(['one', 'two']);
  expect(cases[0].lanes).toHaveLength(1);
  expect(cases[0].lanes[0]).toMatchObject({
    published: { ratio: 11.8 },
    here: { ratio: { value: 3 } },
    other: { ratio: { value: 5 } },
  });
  expect(ratiosOf(cases).sort((a, b) => a - b)).toEqual([1, 11.8, 3, 5].sort((a, b) => a - b));
});

test('measured cells join the row that is given; other rows follow', () => {
  const lines = [
    { figure: 'table', cells: { key: 'x', here: 2 } },
    { figure: 'table', cells: { key: 'z', here: 3 } },
  ];
  expect(rowsOf(table, lines)).toEqual([
    { key: 'x', said: 'yes', here: 2 },
    { key: 'z', here: 3 },
  ]);
});

test('a column of quotients has a number where both others have', () => {
  const quotient: TableFigure = {
    ...table,
    columns: [...table.columns, { name: 'to', title: 'To', unit: 'ratio', quotient: ['here', 'there'] }],
  };
  const lines = [
    { figure: 'table', cells: { key: 'x', here: 3, there: 2 } },
    { figure: 'table', cells: { key: 'z', here: 3, there: null } },
  ];
  expect(rowsOf(quotient, lines).map((cells) => cells['to'])).toEqual([1.5, undefined]);
});

test('cases that only this machine has come before another machine’s', () => {
  const cases = casesOf({ ...bars, published: [] }, [bar('small', 'a', 1)], [bar('full', 'a', 1)]);
  expect(cases.map(({ name }) => name)).toEqual(['small', 'full']);
});

test('a sorted table has its largest row first, and rows without a number last', () => {
  const lines = [1, 3, 2].map((here) => ({ figure: 'table', cells: { key: `${here}`, here } }));
  expect(rowsOf({ ...table, sorted: 'here' }, lines).map(({ key }) => key)).toEqual(['3', '2', '1', 'x']);
});

describe('the axis', () => {
  test('is logarithmic and has 1 on it', () => {
    const axis = ratioAxis([0.1, 10]);
    expect(axis.at(1) - axis.at(0.1)).toBeCloseTo(axis.at(10) - axis.at(1));
    expect(axis.ticks).toEqual(expect.arrayContaining([0.1, 1, 10]));
  });
  test('has room where all are alike', () => expect(ratioAxis([1]).at(1)).toBeLessThan(1));
});

test('words', () => {
  expect([11.8, 0.0255, 1, 312.4].map(ratioText)).toEqual(['11.8×', '0.0255×', '1.00×', '312×']);
  expect(shortName({ adapter: 'NVIDIA H200 (driver 570.86.15)' })).toBe('NVIDIA H200');
});

test('files have the source, the device and every number', () => {
  const study: StudyInfo = {
    name: 's',
    order: 1,
    title: 'S',
    short: 'S',
    question: '?',
    summary: [],
    source: { title: 'T', kind: 'Report', authors: undefined, date: undefined, hardware: 'H', numbers: 'N' },
    sizes: { small: '', full: '' },
    method: ['so'],
    published: [{ what: 'b', value: '11.8', unit: 'times' }],
    figures: [bars, table],
    hasSources: false,
  };
  const measured: MeasuredStudy = {
    state: 'done',
    small: true,
    date: new Date(0),
    adapter: undefined,
    lines: [bar('one', 'b', 3), { figure: 'table', cells: { key: 'x, y', here: 2 } }],
    share: 1,
    doing: '',
    seconds: 1,
    error: undefined,
  };
  const json = JSON.parse(jsonReport(study, measured, { link: 'l', browser: 'b' })) as object;
  expect(json).toMatchObject({
    study: 's',
    complete: true,
    source: { title: 'T' },
    published: study.published,
    lines: measured.lines,
  });
  const [heads, ...rows] = csvReport(study, measured, { browser: 'b' }).trim().split('\r\n');
  const at = (row: string, column: string) =>
    row.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)[heads.split(',').indexOf(column)];
  expect([at(rows[0], 'published_ratio'), at(rows[0], 'ratio'), at(rows[0], 'calls')]).toEqual([
    '11.8',
    '3',
    '10',
  ]);
  expect([at(rows[1], 'case'), at(rows[1], 'column'), at(rows[1], 'value')]).toEqual(['"x, y"', 'here', '2']);
});
