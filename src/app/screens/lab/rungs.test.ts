import { expect, test } from 'vitest';
import type { LadderStep } from '../../../worker/api.ts';
import { waiting } from './batch.ts';
import { rungRows, rungsOf } from './rungs.ts';
import { measured, request, timed, wrong } from './testing.ts';

const steps: LadderStep[] = [
  { step: 'one thread per output', why: 'A simple kernel.', launches: ['plain'] },
  { step: 'tiles', why: 'Shared memory.', launches: ['tile 8', 'tile 16'] },
];

test('each step has its fastest variant, after the loops on the CPU', () => {
  const loops = { median: 50, p10: 49, p90: 51, samples: 3 };
  const measurement = measured([
    timed('direct', 4),
    timed('direct', 2, 'tile 8'),
    timed('direct', 1, 'tile 16'),
  ]);
  const rungs = rungsOf(steps, 'direct', { ...measurement, loops });
  expect(rungs.map(({ title, time, launch }) => [title, time?.median, launch])).toEqual([
    ['Plain loops on one CPU core', 50, ''],
    ['One thread per output', 4, ''],
    ['Tiles', 1, 'tile 16'],
  ]);
});

test('a step without a time has the reason', () => {
  const missing = (measurement: Parameters<typeof rungsOf>[2]) =>
    rungsOf(steps, 'direct', measurement).map((rung) => rung.missing);
  expect(missing(undefined)).toEqual(['not measured', 'not measured', 'not measured']);
  expect(missing({ ...waiting(request), state: 'measuring' })).toEqual(Array(3).fill('measuring…'));
  expect(missing(measured([wrong('direct')]))).toEqual([
    'not measured',
    expect.stringMatching(/^incorrect results: y\[0\]/),
    'not tried',
  ]);
  const error = { code: 'unsupported', message: 'too large' } as const;
  expect(missing({ ...waiting(request), state: 'refused', error })).toEqual([
    'not measured',
    'too large',
    'too large',
  ]);
});

test('layers side by side: each step once, in order, also where a layer lacks one', () => {
  const [first, second] = [steps, steps.slice(1)].map((own) => rungsOf(own, 'direct', undefined));
  const rows = rungRows([second, first]);
  expect(rows.map(({ title, rungs }) => [title, rungs.map((one) => one !== undefined)])).toEqual([
    ['Plain loops on one CPU core', [true, true]],
    ['One thread per output', [false, true]],
    ['Tiles', [true, true]],
  ]);
  expect(rows[1].sentence).toBe('A simple kernel.');
  expect(rows[2].rungs[0]?.source).toEqual({ algorithm: 'direct', launch: 'tile 8' });
});
