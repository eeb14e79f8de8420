import { expect, test } from 'vitest';
import { resultsElsewhere } from './elsewhere.ts';
import { studies } from './index.ts';
import type { RowLine } from './study.ts';

test.each(studies.all())(
  '$name: results of other machines have its figures, bars and columns',
  async (study) => {
    for (const { lines } of await resultsElsewhere(study.name))
      for (const line of lines) {
        const figure = study.figures.find(({ name }) => name === line.figure);
        const names =
          figure && (figure.kind === 'bars' ? figure.bars : figure.columns).map(({ name }) => name);
        expect(names).toEqual(expect.arrayContaining('bar' in line ? [line.bar] : Object.keys(line.cells)));
      }
  },
);

test('choosing: its text says what an H100 measured', async () => {
  const [{ lines }] = await resultsElsewhere('choosing');
  const rows = lines.flatMap((line) => (line.figure === 'networks' && 'cells' in line ? [line.cells] : []));
  const range = (of: (cells: RowLine['cells']) => number, digits: number) =>
    [Math.min, Math.max].map((end) => end(...rows.map(of)).toFixed(digits)).join(' to ');
  const text = studies.get('choosing').summary.join(' ');
  expect(text).toContain(`${range(({ rules, tuned }) => Number(rules) / Number(tuned), 2)} times as long`);
  expect(text).toContain(`the search ${range(({ search }) => Number(search) / 1000, 0)} seconds for each`);
});

test('forward: its text says what an H100 measured', async () => {
  const [{ lines }] = await resultsElsewhere('forward');
  const found = lines.find(
    (line) =>
      line.figure === 'channels' && 'cells' in line && String(line.cells['layer']).startsWith('conv2'),
  );
  const { here, barriers, once, busy, own } = (found as RowLine).cells;
  const text = studies.get('forward').summary.join(' ');
  expect(barriers).toBe(12);
  for (const said of [
    `${Number(here).toFixed(2)} times the plain kernel’s time`,
    `${Number(once).toFixed(2)} times as long as with twelve`,
    `Only ${(100 * Number(busy)).toFixed(0)} % of its threads`,
    `takes ${Number(own).toFixed(2)} times as long`,
  ])
    expect(text).toContain(said);
});
