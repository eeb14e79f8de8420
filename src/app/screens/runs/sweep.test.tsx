import { beforeEach, expect, test, vi } from 'vitest';
import { ok, type Result } from '../../../base/result.ts';
import { completed } from '../../../run/settings/rules.ts';
import type { RunConfig } from '../../../worker/api.ts';
import { bestAccuracy, type RunRecord } from '../../journal/record.ts';
import { live } from '../../metrics/live.ts';
import { useApp } from '../../state/store.ts';
import { gridOf, readNumbers, startSweep, stopSweep, sweepSeconds, useSweep } from './sweep.ts';
import { anyPart } from '../../testing/any-part.ts';

const trained: RunConfig[] = [];
vi.mock('../../client.ts', () => {
  const api = {
    restart: async (config: RunConfig) => {
      trained.push(config);
      return ok(undefined);
    },
    stop: async () => undefined,
  };
  const ask = <T,>(question: (one: unknown) => Promise<Result<T>>) => question(anyPart(api));
  return { ask };
});

const base: RunConfig = { ...completed({}), model: 'lenet5', dataset: 'digits' };
const datasets = [{ name: 'digits', counts: { train: 100, test: 10 } }] as never;

beforeEach(() => {
  trained.length = 0;
  live.clear();
  useApp.setState({ ...useApp.getInitialState(), datasets }, true);
  useSweep.setState({ id: undefined, running: undefined });
});

/** The run is at a step, and has paused or not. */
const report = (runState: 'training' | 'paused' | 'failed', step: number) => {
  live.setPosition(step, Math.floor(step / 10));
  useApp.setState({ runState });
};

test('every combination is trained, the next one when the last is done or has failed; a pause waits', async () => {
  const done = startSweep(base, [0.1, 0.2], [10], 2);
  await expect.poll(() => trained.length).toBe(1);
  expect(trained[0]).toMatchObject({ lr: 0.1, batchSize: 10, epochs: 2 });
  report('training', 5);
  report('paused', 7);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(trained).toHaveLength(1);
  report('training', 7);
  report('paused', 20);
  await expect.poll(() => trained.length).toBe(2);
  expect(trained[1].sweep).toEqual(trained[0].sweep);
  expect(useSweep.getState().running).toMatchObject({ done: 1, lrs: [0.1, 0.2] });
  report('training', 1);
  report('failed', 3);
  await done;
  expect(useSweep.getState().running).toBeUndefined();
});

test('a sweep that is stopped trains nothing more', async () => {
  const done = startSweep(base, [0.1, 0.2], [10], 2);
  await expect.poll(() => trained.length).toBe(1);
  report('training', 5);
  await stopSweep();
  await done;
  expect(trained).toHaveLength(1);
});

test('its runs make a grid with the best one', () => {
  const run = (lr: number, batchSize: number, testAccuracy?: number) =>
    ({
      id: `${lr} ${batchSize}`,
      config: { ...base, lr, batchSize },
      evaluations: testAccuracy === undefined ? [] : [{ step: 1, epoch: 1, testLoss: 1, testAccuracy }],
    }) as unknown as RunRecord;
  const grid = gridOf([run(0.1, 8, 0.5), run(0.01, 8, 0.9), run(0.1, 4)]);
  expect(gridOf([], { lrs: [1, 2], batches: [4] }).lrs).toEqual([1, 2]);
  expect([grid.lrs, grid.batches]).toEqual([
    [0.01, 0.1],
    [4, 8],
  ]);
  expect(grid.best?.id).toBe('0.01 8');
  expect([grid.at(0.1, 4)?.id, grid.at(0.01, 4)]).toEqual(['0.1 4', undefined]);
});

test('the best of a sweep with validation has the best validation, whatever the tests say', () => {
  const run = (lr: number, ...of: [testAccuracy: number, validationAccuracy: number][]) =>
    ({
      id: String(lr),
      config: { ...base, lr },
      evaluations: of.map(([testAccuracy, validationAccuracy], i) => ({
        ...{ step: i, epoch: i, testLoss: 1, testAccuracy },
        ...{ validationLoss: 1, validationAccuracy },
      })),
    }) as unknown as RunRecord;
  const runs = [run(0.1, [0.99, 0.5], [0.6, 0.6]), run(0.01, [0.7, 0.8], [0.9, 0.7])];
  expect(gridOf(runs).best?.id).toBe('0.01');
  // The test of the epoch that the validation chose.
  expect(runs.map(bestAccuracy)).toEqual([0.6, 0.7]);
});

test('numbers are read in order, each once, and nothing else is', () => {
  expect(readNumbers('0.1, 1e-3,0.1', false)).toEqual([0.001, 0.1]);
  for (const text of ['0,001, 0,1', '0,001 0,1', '0,001; 0,1', '0.001;0.1', '0.001,0.1'])
    expect(readNumbers(text, false), text).toEqual([0.001, 0.1]);
  expect(readNumbers('64,256', true)).toEqual([64, 256]);
  for (const text of ['', '1,,2', '-1', 'many', '1e999', '0x10', '0,1,2'])
    expect(readNumbers(text, false), text).toBeUndefined();
  expect(readNumbers('1.5', true)).toBeUndefined();
});

test('how long one takes follows from the last run of the same model and data', () => {
  const run = (model: string, trainedMs: number) =>
    ({ config: { ...base, model, batchSize: 10 }, step: 100, trainedMs }) as RunRecord;
  const records = [run('lenet5', 1000), run('lenet5', 2000), run('linear', 10)];
  expect(sweepSeconds(records, base, 5000)).toBe(10);
  expect(sweepSeconds(records, { ...base, dataset: 'shapes' }, 5000)).toBeUndefined();
});
