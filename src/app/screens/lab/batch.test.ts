import { describe, expect, test } from 'vitest';
import type { LabProgress } from '../../../worker/api.ts';
import { byProblem, fold, isRunning, jointState, newBatch, progressOf, type Batch } from './batch.ts';
import { foundOf, measured, problem, request, timed, wrong } from './testing.ts';

const summary = { problem, key: 'key', flops: 1 };
const other = { ...request, number: 'f16' as const };

const run = (batch: Batch, ...events: LabProgress[]): Batch => events.reduce(fold, batch);

const begun: LabProgress = { step: 'begun', requests: [request, other], uses: [] };

describe('fold', () => {
  test('a batch from start to end', () => {
    const absent = [{ algorithm: 'gemm_1x1', reason: 'it is for 1x1' }];
    let batch = newBatch(7, [request, other]);
    expect(isRunning(batch)).toBe(true);
    batch = run(batch, begun, { step: 'measuring', index: 0, problem: summary, absent });
    expect(batch).toMatchObject({ job: 7, state: 'measuring' });
    expect(batch.measurements.map(({ state }) => state)).toEqual(['measuring', 'waiting']);
    expect(batch.measurements[0].absent).toEqual(absent);

    const rough = timed('direct', 2);
    const fine = timed('direct', 1.5);
    const bad = wrong('fft');
    batch = run(
      batch,
      { step: 'tried', index: 0, tried: rough },
      { step: 'tried', index: 0, tried: bad },
      { step: 'tried', index: 0, tried: fine },
    );
    // A variant that is measured again replaces its former result.
    expect(batch.measurements[0].tried).toEqual([fine, bad]);

    const found = foundOf([fine, bad], [], absent);
    batch = run(
      batch,
      { step: 'found', index: 0, found },
      { step: 'measuring', index: 1, problem: summary, absent: [] },
      { step: 'refused', index: 1, error: { code: 'unsupported', message: 'no' } },
      { step: 'ended', how: 'done' },
    );
    expect(batch.measurements.map(({ state }) => state)).toEqual(['found', 'refused']);
    expect(batch.measurements[0].found).toBe(found);
    expect(batch.measurements[1].error?.message).toBe('no');
    expect(batch.state).toBe('done');
    expect(isRunning(batch)).toBe(false);
  });

  test('a cancelled measurement keeps its bars, but has no result', () => {
    const batch = run(
      newBatch(1, [request]),
      { step: 'begun', requests: [request], uses: [] },
      { step: 'measuring', index: 0, problem: summary, absent: [] },
      { step: 'tried', index: 0, tried: timed('direct', 1) },
      { step: 'ended', how: 'cancelled' },
    );
    expect(batch.state).toBe('cancelled');
    expect(batch.measurements[0]).toMatchObject({ state: 'waiting', found: undefined });
    expect(batch.measurements[0].tried).toHaveLength(1);
  });

  test('a failure has its reason', () => {
    const error = { code: 'device-lost', message: 'gone' } as const;
    const batch = run(newBatch(1, [request]), { step: 'ended', how: 'failed', error });
    expect(batch).toMatchObject({ state: 'failed', error });
  });

  test('a result that is not measured again stays', () => {
    const before = measured([timed('direct', 1)]);
    const batch = run(newBatch(2, [], [before]), begun);
    expect(batch.measurements[0]).toBe(before);
    expect(batch.measurements[1].state).toBe('waiting');
    const again = run(batch, { step: 'measuring', index: 0, problem: summary, absent: [] });
    expect(again.measurements[0]).toMatchObject({ state: 'measuring', tried: [], found: undefined });
  });

  test('step times, loops, averages and the CPU are added', () => {
    const cpu = { engine: 'CPU', images: 1, tried: timed('direct', 9) };
    const spread = { median: 1, p10: 1, p90: 1, samples: 3 };
    const average = { algorithm: 'direct', launch: 'plain', calls: 100, mean: 1, p10: 1, p90: 1 };
    const batch = run(
      newBatch(1, [request]),
      { step: 'training-step', when: 'before', spread },
      { step: 'loops', index: 0, spread },
      { step: 'average', index: 0, average },
      { step: 'cpu', index: 0, cpu },
    );
    expect(batch.trainingStep).toEqual({ before: spread });
    expect(batch.measurements[0]).toMatchObject({ loops: spread, averages: [average], cpu });
  });
});

test('progress counts results and refusals', () => {
  expect(progressOf(undefined)).toEqual({ done: 0, total: 0 });
  const batch = run(
    newBatch(1, [request, other]),
    begun,
    { step: 'measuring', index: 0, problem: summary, absent: [] },
    { step: 'refused', index: 0, error: { code: 'unsupported', message: 'no' } },
  );
  expect(progressOf(batch)).toEqual({ done: 1, total: 2 });
});

test('the state of two measurements is that of the first one without a result', () => {
  const [one, two] = newBatch(1, [request, other]).measurements;
  const found = { ...one, state: 'found' as const };
  expect(jointState([found, found])).toBe('found');
  expect(jointState([found, { ...two, state: 'measuring' }])).toBe('measuring');
  // The second one was not started when the batch was stopped.
  expect(jointState([found, two])).toBe('waiting');
  expect(jointState([{ ...one, state: 'refused' }, two])).toBe('refused');
  expect(jointState([found, undefined])).toBeUndefined();
});

test('a measurement is found by its problem', () => {
  const batch = newBatch(1, [request, { ...request, direction: 'wgrad' }]);
  const find = byProblem(batch);
  expect(find({ ...problem }, 'wgrad')).toBe(batch.measurements[1]);
  expect(find(problem, 'dgrad')).toBeUndefined();
  expect(find({ ...problem, stride: [1, 2] }, 'fprop')).toBeUndefined();
  expect(byProblem(undefined)(problem, 'fprop')).toBeUndefined();
});
