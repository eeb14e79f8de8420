import { expect, test } from 'vitest';
import type { BarLine, Line } from '../study.ts';
import { ratioTo, timeOf } from '../times.ts';
import { reportLargest } from './cases.ts';
import { BASE } from './contestants.ts';

/** The base and another bar in a case, with their times. */
function linesOf(figure: string, where: string, bar: string, base: number, other: number): BarLine[] {
  const [baseTime, time] = [base, other].map((ms) => timeOf([ms], 1, 'wall'));
  const line = { figure, case: where };
  return [
    { ...line, bar: BASE, time: baseTime, ratio: ratioTo(baseTime, baseTime) },
    { ...line, bar, time, ratio: ratioTo(baseTime, time) },
  ];
}

test('the largest ratio has both times from its own case, of the cases of 16 images only', () => {
  const lines = [
    ...linesOf('forward', 'N 16, K 1', 'FFT', 10, 30),
    ...linesOf('forward', 'N 16, K 4', 'FFT', 2, 12),
    ...linesOf('backward', 'N 16, K 4', 'FFT', 1, 5),
    ...linesOf('forward', 'N 1, K 1', 'FFT', 1, 100),
    ...linesOf('forward', 'N 16, K 16', 'Winograd', 4, 2),
    ...linesOf('backward', 'N 16, K 16', 'col2im v2', 1, 8),
  ];
  const reported: Line[] = [];
  reportLargest(lines, (line) => reported.push(line));
  const of = (name: RegExp) =>
    reported.flatMap((line) =>
      'bar' in line && name.test(line.case) ? [[line.time?.median, line.ratio?.value]] : [],
    );
  expect(of(/^FFT, /)).toEqual([
    [2, 1],
    [12, 6],
  ]);
  expect(of(/^Winograd/)).toEqual([
    [4, 1],
    [2, 0.5],
  ]);
  // Nothing was measured.
  expect(of(/^FFT tiling/)).toEqual([]);
  // Both directions of the own kernels count, and the largest of all is theirs.
  expect(of(/^Own v2/)).toEqual([
    [1, 1],
    [8, 8],
  ]);
  expect(of(/^The slowest/)).toEqual(of(/^Own v2/));
});
