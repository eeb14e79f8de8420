import { expect, test } from 'vitest';
import type { RunRecord } from '../../journal/record.ts';
import { ordered } from './order.ts';

const run = (number: number, testAccuracy?: number, starred = false) =>
  ({
    number,
    began: number,
    name: `run-${number}`,
    starred,
    trainedMs: 10 - number,
    state: 'paused',
    config: {},
    evaluations: testAccuracy === undefined ? [] : [{ step: 1, epoch: 1, testLoss: 1, testAccuracy }],
  }) as unknown as RunRecord;

const runs = [run(1, 0.5), run(2), run(3, 0.9), run(4, 0.7, true)];
const numbers = (...order: [Parameters<typeof ordered>[1]['column'], boolean]) =>
  ordered(runs, { column: order[0], ascending: order[1] }).map(({ number }) => number);

test('starred first, unknown last, in either direction', () => {
  expect(numbers('accuracy', false)).toEqual([4, 3, 1, 2]);
  expect(numbers('accuracy', true)).toEqual([4, 1, 3, 2]);
});

test('by number, by name, by time', () => {
  expect(numbers('number', false)).toEqual([4, 3, 2, 1]);
  expect(numbers('name', true)).toEqual([4, 1, 2, 3]);
  expect(numbers('time', true)).toEqual([4, 3, 2, 1]);
});

test('equal runs: the newer first', () => {
  expect(numbers('state', true)).toEqual([4, 3, 2, 1]);
});

test('an imported run stands where it began, not where it was imported', () => {
  const at = (number: number, time: string) => ({ ...run(number), began: Date.parse(`2026-11-22T${time}Z`) });
  const all = [at(1, '09:16'), at(2, '09:20'), at(3, '09:14')];
  expect(ordered(all, { column: 'number', ascending: false }).map(({ number }) => number)).toEqual([2, 1, 3]);
});
