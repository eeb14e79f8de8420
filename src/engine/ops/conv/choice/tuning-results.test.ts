import { beforeEach, expect, test, vi } from 'vitest';
import { Failure } from '../../../../base/result.ts';
import type { DbEntry } from './db.ts';
import { readDb } from './read-db.ts';
import { convProblem } from '../problem.ts';
import type { Device } from '../../../../gpu/device.ts';
import { TuningResults, type TextStore } from './tuning-results.ts';

const problem = convProblem({ N: 1, C: 1, H: 3, W: 3, K: 1, R: 1, S: 1 });
const device = {
  adapter: { vendor: 'v', architecture: 'a', description: 'd', driver: '' },
  kernels: { version: '1' },
} as Device;

const found = (algorithm: string) =>
  ({
    problem,
    direction: 'fprop',
    number: 'f32',
    workspace: 0,
    absent: [],
    ties: [],
    unclear: [],
    elapsedMs: 1,
    best: { algorithm, launch: 'l' },
    tried: [
      {
        algorithm,
        launch: 'l',
        outcome: 'timed',
        median: 1,
        p10: 1,
        p90: 1,
        interval: [1, 1],
        samples: 3,
        repetitions: 1,
        clock: 'wall',
        error: 0,
        dispatches: 1,
        shaders: [],
        workspaceBytes: 0,
      },
    ],
  }) as Parameters<TuningResults['record']>[1];

let text: string | undefined;
const store: TextStore = {
  read: async () => text,
  update: async (change) => {
    text = change(text);
  },
};
const onFailure = vi.fn<(failure: Failure, consequence: string) => void>();
const options = { runtime: 'browser', name: 'find-db', onFailure };
const results = () => new TuningResults(store, options);
const best = async (one: TuningResults): Promise<DbEntry['best']> => {
  await one.load();
  return one.known(device).entry(problem, 'fprop', 'f32', 0)?.best;
};

beforeEach(() => {
  text = undefined;
  onFailure.mockReset();
});

test('results are available to the next page, and after an import on another machine', async () => {
  const one = results();
  expect(await best(one)).toBeUndefined();
  await one.record(device, found('direct'));
  expect(await best(one)).toMatchObject({ algorithm: 'direct' });
  expect(await best(results())).toMatchObject({ algorithm: 'direct' });
  const file = await one.export();
  text = undefined;
  const other = results();
  expect(await other.import('f.json', file)).toBe(1);
  expect(await best(other)).toMatchObject({ algorithm: 'direct' });
  await expect(other.import('f.json', '{')).rejects.toMatchObject({ code: 'bad-file' });
});

test('two pages do not overwrite each other, and a deletion reaches both', async () => {
  const [one, two] = [results(), results()];
  await Promise.all([one.load(), two.load()]);
  await one.record(device, found('direct'));
  const wgrad = { ...found('implicit_gemm'), direction: 'wgrad' as const };
  await two.record(device, wgrad);
  expect(readDb('x', text ?? '').entries).toHaveLength(2);
  await two.clear(device);
  expect(readDb('x', text ?? '').entries).toHaveLength(0);
  expect(await best(results())).toBeUndefined();
});

test('if the browser refuses to store, results last until the page closes', async () => {
  const refuse = async () => Promise.reject(new Failure('storage', 'no'));
  const one = new TuningResults({ read: refuse, update: refuse }, options);
  await one.record(device, found('direct'));
  expect(await best(one)).toMatchObject({ algorithm: 'direct' });
  expect(onFailure).toHaveBeenCalledTimes(2);
  text = 'not json';
  expect(await best(results())).toBeUndefined();
  expect(onFailure).toHaveBeenCalledTimes(3);
});
