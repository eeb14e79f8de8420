import { expect, test } from 'vitest';
import { resultsElsewhere } from './elsewhere.ts';
import { studies } from './index.ts';

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
