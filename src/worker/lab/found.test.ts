import { beforeEach, expect, test, vi } from 'vitest';
import { Failure } from '../../base/result.ts';
import { FindDb, type DbEntry } from '../../engine/ops/conv/choice/db.ts';
import { convProblem } from '../../engine/ops/conv/problem.ts';
import type { Device } from '../../gpu/device.ts';
import { FoundKeeper, type FoundStore } from './found.ts';

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
        samples: 3,
        repetitions: 1,
        clock: 'wall',
        error: 0,
        dispatches: 1,
        shaders: [],
        workspaceBytes: 0,
      },
    ],
  }) as Parameters<FoundKeeper['record']>[1];

let text: string | undefined;
const store: FoundStore = {
  read: async () => text,
  update: async (change) => {
    text = change(text);
  },
};
const keeper = () => new FoundKeeper(store, 'browser');
const best = async (one: FoundKeeper): Promise<DbEntry['best']> => {
  await one.load();
  return one.knownOn(device).entry(problem, 'fprop', 'f32', 0)?.best;
};

beforeEach(() => {
  text = undefined;
});

test('what was found is there for the next page, and after an import on another machine', async () => {
  const one = keeper();
  expect(await best(one)).toBeUndefined();
  await one.record(device, found('direct'));
  expect(await best(one)).toMatchObject({ algorithm: 'direct' });
  expect(await best(keeper())).toMatchObject({ algorithm: 'direct' });
  const file = await one.export();
  text = undefined;
  const other = keeper();
  expect(await other.import('f.json', file)).toBe(1);
  expect(await best(other)).toMatchObject({ algorithm: 'direct' });
  await expect(other.import('f.json', '{')).rejects.toMatchObject({ code: 'bad-file' });
});

test('two pages do not overwrite each other, and both forget', async () => {
  const [one, two] = [keeper(), keeper()];
  await Promise.all([one.load(), two.load()]);
  await one.record(device, found('direct'));
  const wgrad = { ...found('implicit_gemm'), direction: 'wgrad' as const };
  await two.record(device, wgrad);
  expect(FindDb.parse('x', text ?? '').entries).toHaveLength(2);
  await two.forget(device);
  expect(FindDb.parse('x', text ?? '').entries).toHaveLength(0);
  expect(await best(keeper())).toBeUndefined();
});

test('a browser that refuses costs the memory of it, not the work', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const refuse = async () => Promise.reject(new Failure('storage', 'no'));
  const one = new FoundKeeper({ read: refuse, update: refuse }, 'browser');
  await one.record(device, found('direct'));
  expect(await best(one)).toMatchObject({ algorithm: 'direct' });
  expect(warn).toHaveBeenCalledTimes(2);
  text = 'not json';
  expect(await best(keeper())).toBeUndefined();
  warn.mockRestore();
});
