import { expect, test } from 'vitest';
import type { Interval } from '../../../../base/median-interval.ts';
import { rank } from './rank.ts';

const time = (median: number, ...interval: [number, number]) => ({ median, interval: interval as Interval });

test('a launch whose interval lies above the best’s is slower', () => {
  const [best, slower] = [time(1, 0.98, 1.02), time(1.05, 1.03, 1.07)];
  expect(rank([slower, best])).toEqual({ best, ties: [], unclear: [] });
});

test('a tie: the intervals overlap, and both are narrow', () => {
  const [best, other] = [time(1, 0.98, 1.02), time(1.01, 0.99, 1.05)];
  expect(rank([best, other])).toEqual({ best, ties: [other], unclear: [] });
});

test('times of 23.2 and 45.6 ms that vary widely are no tie', () => {
  const [best, other] = [time(23.2, 20, 47), time(45.6, 36, 57)];
  expect(rank([best, other])).toEqual({ best, ties: [], unclear: [other] });
});

test('without times there is no best', () => {
  expect(rank([])).toEqual({ ties: [], unclear: [] });
});
