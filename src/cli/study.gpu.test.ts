import { describe, expect, test } from 'vitest';
import { studies } from '../studies/index.ts';
import { readResult } from '../studies/elsewhere.ts';
import { runCommandLine } from './command-line.ts';

async function wgrad(...words: string[]): Promise<{ status: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const status = await runCommandLine(words, { out: (text) => (out += text), err: (text) => (err += text) });
  return { status, out, err };
}

describe.each(studies.names())('study %s', (name) => {
  test('prints every figure, and ends with where and when', async () => {
    const { status, out } = await wgrad('study', name, '--small', '--json');
    expect(status).toBe(0);
    const { lines, ...about } = readResult(out);
    expect(about).toMatchObject({
      study: name,
      size: 'small',
      complete: true,
      adapter: expect.stringMatching(/\w/),
    });
    expect(new Date(about.date).getTime()).toBeGreaterThan(0);
    for (const figure of studies.get(name).figures) {
      const own = lines.filter((line) => line.figure === figure.name);
      expect(own.length, figure.name).toBeGreaterThan(0);
      for (const line of own) {
        if (!('bar' in line)) {
          const columns = figure.kind === 'table' ? figure.columns.map((column) => column.name) : [];
          expect(columns).toEqual(expect.arrayContaining(Object.keys(line.cells)));
          continue;
        }
        expect(figure.kind === 'bars' && figure.bars.map((bar) => bar.name)).toContain(line.bar);
        if (line.missing === undefined) expect(line.time?.median).toBeGreaterThan(0);
        if (line.ratio) expect(line.ratio.low).toBeLessThanOrEqual(line.ratio.high);
      }
    }
  }, 120_000);
});

test('an unknown study is refused with those that there are', async () => {
  const { status, out, err } = await wgrad('study', 'nothing');
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toMatch(/no study named "nothing".*cudnn-algorithms/);
});

test('a study that is stopped says so, in its last line and by its status', async () => {
  const { status, out, err } = await wgrad('study', 'choosing', '--small', '--minutes', '0');
  expect(status).toBe(1);
  expect(readResult(out)).toMatchObject({ study: 'choosing', complete: false });
  expect(err).toMatch(/choosing was stopped after 0 minutes/);
});
