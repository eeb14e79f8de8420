import { expect, test } from 'vitest';
import { readResult } from './elsewhere.ts';
import { ratioTo, timeOf } from './times.ts';

test('a ratio spans both spreads; the base is exactly 1', () => {
  const base = timeOf([1, 2, 3], 10, 'wall');
  const time = timeOf([8, 8, 8], 10, 'wall');
  expect(base).toMatchObject({ median: 2, samples: 3, calls: 10 });
  expect(ratioTo(base, time)).toEqual({ value: 4, low: 8 / base.p90, high: 8 / base.p10 });
  expect(ratioTo(base, base)).toEqual({ value: 1, low: 1, high: 1 });
});

test('what the command prints is read as a result', () => {
  const line = { figure: 'a', cells: { b: 1 } };
  const about = {
    study: 's',
    size: 'full',
    complete: true,
    adapter: 'X (driver 1)',
    runtime: 'Node 20',
    date: '2026-01-02T03:04:05Z',
    seconds: 2,
  };
  const text = [line, { final: true, ...about, lines: 1 }].map((one) => `${JSON.stringify(one)}\n`).join('');
  expect(readResult(text)).toEqual({ ...about, lines: [line] });
});
