import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Points } from '../../../run/metrics/points.ts';
import type { RunRecord } from '../../journal/record.ts';
import { indexAt, lineOf, rangeOf, type RunLine } from './lines.ts';
import { LOOKS, lookOf } from './look.ts';

const line = (y: number[], diverged = false): RunLine => ({ x: y.map((_, i) => i + 1), y, diverged });

test('a run that diverged does not flatten the others, on either scale', () => {
  const sound = [line([2.3, 0.5]), line([2, 0.01])];
  const wild = line([2.3, 40, 1e30, NaN], true);
  expect(rangeOf([...sound, wild], false)).toEqual([0, 1.05 * 2.3]);
  const [low, high] = rangeOf([...sound, wild], true);
  expect(low).toBeCloseTo(0.009);
  expect(high).toBeCloseTo(2.53);
  expect(rangeOf([wild], false)[1]).toBeLessThan(100);
  expect(rangeOf([], true)).toEqual([0.1, 1]);
});

test('twelve runs differ in colour, and neighbours in their dashes too', () => {
  const looks = Array.from({ length: 24 }, (_, i) => lookOf(i));
  expect(new Set(looks.slice(0, LOOKS).map(({ colour }) => colour)).size).toBe(12);
  expect(new Set(looks.map(({ colour, dash }) => `${colour} ${dash.join()}`)).size).toBe(24);
  for (let i = 1; i < looks.length; i++) expect(looks[i].dash).not.toEqual(looks[i - 1].dash);
});

test('in each theme the twelve colours are twelve', () => {
  const sheet = readFileSync(new URL('colours.css', import.meta.url), 'utf8');
  const themes = sheet.split('}').map((rules) => [...rules.matchAll(/(--run-\d+): (#\w{6});/g)]);
  for (const colours of themes.slice(0, 2)) {
    expect(colours.map(([, token]) => token)).toEqual(
      Array.from({ length: LOOKS }, (_, i) => lookOf(i).colour),
    );
    expect(new Set(colours.map(([, , colour]) => colour)).size).toBe(LOOKS);
  }
});

test('lines lie over steps, epochs or seconds; a fork starts where it branched off', () => {
  const parent = { id: 'a' } as RunRecord;
  const record = {
    id: 'b',
    parent: { id: 'a', name: 'a', step: 10 },
    state: 'stopped',
    step: 4,
    trainedMs: 2000,
    evaluations: [{ step: 4, epoch: 1, testLoss: 1, testAccuracy: 0.9 }],
  } as unknown as RunRecord;
  const points = {
    step: Float64Array.of(2, 4),
    smoothLoss: Float32Array.of(2, 1),
    seconds: Float32Array.of(3, 7),
  };
  const of = (axis: 'step' | 'epoch' | 'time', from: object = points) =>
    lineOf(record, from as Points, 'loss', { axis, stepsPerEpoch: 4, all: [parent, record] }).x;
  expect(of('step')).toEqual([12, 14]);
  expect(of('epoch')).toEqual([3, 3.5]);
  expect(of('time')).toEqual([3, 7]);
  // Without times, from those of the whole run.
  expect(of('time', { ...points, seconds: undefined })).toEqual([1, 2]);
  const tests = lineOf(record, points as Points, 'accuracy', { axis: 'step', stepsPerEpoch: 4, all: [] });
  expect([tests.x, tests.y]).toEqual([[14], [0.9]]);
  expect([indexAt(tests, 13), indexAt(tests, 20)]).toEqual([-1, 0]);
});
