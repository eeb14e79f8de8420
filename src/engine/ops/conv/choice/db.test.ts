import { describe, expect, test } from 'vitest';
import { convProblem } from '../problem.ts';
import { FindDb, type TuningEnvironment, type Question } from './db.ts';
import { readDb } from './read-db.ts';
import type { FindResult } from './types.ts';

const environment: TuningEnvironment = {
  adapter: 'nvidia, hopper, NVIDIA H200, 570.86.15',
  runtime: 'Node 20',
  kernels: '0123',
};
const problem = convProblem({ N: 2, C: 3, H: 8, W: 8, K: 4, R: 3, S: 3 });
const shaders = ['conv/direct/fprop'];
const found: FindResult = {
  problem,
  direction: 'fprop',
  number: 'f32',
  workspace: 2 ** 26,
  ties: [],
  unclear: [],
  absent: [],
  elapsedMs: 5,
  best: { algorithm: 'direct', launch: 'a' },
  tried: [
    { algorithm: 'fft', launch: 'f', workspaceBytes: 9, shaders, outcome: 'wrong', reason: 'off', error: 1 },
    {
      algorithm: 'direct',
      launch: 'a',
      workspaceBytes: 7,
      shaders,
      outcome: 'timed',
      median: 2,
      p10: 1,
      p90: 3,
      interval: [1, 3],
      samples: 5,
      repetitions: 2,
      clock: 'wall',
      error: 1e-7,
      dispatches: 1,
    },
    { algorithm: 'x', launch: 'g', workspaceBytes: 9, shaders, outcome: 'failed', reason: 'no pipeline' },
  ],
};
const day = (n: number) => new Date(Date.UTC(2026, 0, n));

const filled = () => {
  const db = new FindDb();
  db.record(environment, found, day(1));
  return db;
};

const ask = (
  db: FindDb,
  change: Partial<TuningEnvironment & Omit<Question, 'problem'>> = {},
  about = problem,
) => {
  const { direction, number, workspace, ...elsewhere } = { ...found, ...change };
  const { adapter, runtime, kernels } = { ...environment, ...elsewhere };
  return db.at({ adapter, runtime, kernels }).entry(about, direction, number, workspace);
};

describe('the find-db', () => {
  test('returns what was found: the winner, and what is excluded', () => {
    expect(ask(filled())).toEqual({
      ...environment,
      problem: 'n2 c3 8x8 k4 3x3 s1x1 p0x0 d1x1 g1',
      direction: 'fprop',
      number: 'f32',
      workspace: 2 ** 26,
      best: {
        algorithm: 'direct',
        launch: 'a',
        median: 2,
        p10: 1,
        p90: 3,
        clock: 'wall',
        error: 1e-7,
        workspaceBytes: 7,
      },
      quarantine: [
        { algorithm: 'fft', launch: 'f', reason: 'off' },
        { algorithm: 'x', launch: 'g', reason: 'no pipeline' },
      ],
      date: '2026-01-01T00:00:00.000Z',
    });
  });

  test.each<Partial<TuningEnvironment & Omit<Question, 'problem'>>>([
    { adapter: 'nvidia, hopper, NVIDIA H200, 580.1' },
    { runtime: 'Chrome 157' },
    { kernels: '4567' },
    { direction: 'dgrad' },
    { number: 'f16' },
    { workspace: 0 },
  ])('knows nothing of %o', (change) => {
    expect(ask(filled(), change)).toBeUndefined();
  });

  test('returns nothing for other problems', () => {
    expect(ask(filled(), {}, convProblem({ ...problem, N: 3 }))).toBeUndefined();
    expect(ask(filled(), {}, convProblem({ ...problem, padding: [1, 1] }))).toBeUndefined();
  });

  test('replaces the entry of a repeated search, and of two entries keeps the later one', () => {
    const db = filled();
    db.record(environment, { ...found, tried: [] }, day(2));
    expect(db.entries).toHaveLength(1);
    expect(ask(db)?.best).toBeUndefined();
    const other = filled();
    other.merge(db);
    expect(ask(other)?.date).toBe(day(2).toISOString());
    db.merge(filled());
    expect(ask(db)?.date).toBe(day(2).toISOString());
  });

  test('keeps the speed of a device, and of two the earlier', () => {
    const [pace, other] = [1, 2].map((cores) => ({ cores, rate: 3, bytes: 4, dispatch: 5 }));
    const db = filled();
    expect(db.paceAt(environment)).toBeUndefined();
    db.recordPace(environment, pace, day(1));
    const later = new FindDb();
    later.recordPace(environment, other, day(2));
    db.merge(later);
    expect(readDb('x', db.toText()).paceAt(environment)).toEqual(pace);
    db.clear(environment);
    expect(db.paceAt(environment)).toBeUndefined();
  });

  test('deletes what was measured in one environment, or everything', () => {
    const db = filled();
    db.record({ ...environment, runtime: 'Chrome 157' }, found);
    db.clear(environment);
    expect(db.entries.map(({ runtime }) => runtime)).toEqual(['Chrome 157']);
    db.clear();
    expect(db.entries).toEqual([]);
  });

  test('is the same after a round trip through a file', () => {
    const db = filled();
    db.record(environment, { ...found, direction: 'wgrad', tried: [] }, day(3));
    const copy = readDb('find-db.json', db.toText());
    expect(copy.entries).toEqual(db.entries);
    expect(ask(copy)).toEqual(ask(db));
  });

  const file = JSON.parse(filled().toText()) as { entries: Record<string, unknown>[] };
  const changed = (change: object) => ({ ...file, entries: [{ ...file.entries[0], ...change }] });
  test.each<[string, unknown, string]>([
    ['something else', [], 'db.json: expected a value for format, found undefined'],
    ['another format', { ...file, format: 'x' }, 'db.json: expected format to be "wgrad find-db", found "x"'],
    ['a version of the future', { ...file, version: 2 }, 'db.json: expected version to be 1, found 2'],
    ['no entries', { ...file, entries: 7 }, 'db.json: expected entries to be Array, found 7'],
    [
      'an entry of nothing',
      { ...file, entries: [null] },
      'db.json: expected entries.0 to be Object, found null',
    ],
    [
      'a direction that there is not',
      changed({ direction: 'up' }),
      'db.json: expected entries.0.direction to be ("fprop" | "dgrad" | "wgrad"), found "up"',
    ],
    [
      'a time that is none',
      changed({ best: { algorithm: 'a', launch: 'b', median: -1 } }),
      'db.json: expected entries.0.best.median to be >=0, found -1',
    ],
    [
      'no adapter',
      changed({ adapter: undefined }),
      'db.json: expected a value for entries.0.adapter, found undefined',
    ],
    [
      'a date that is none',
      changed({ date: 'today' }),
      'db.json: expected entries.0.date to be a date, found "today"',
    ],
    [
      'a quarantine without reason',
      changed({ quarantine: [{ algorithm: 'a', launch: 'b' }] }),
      'db.json: expected a value for entries.0.quarantine.0.reason, found undefined',
    ],
  ])('refuses %s', (_, json, message) => {
    const read = () => readDb('db.json', JSON.stringify(json));
    expect(read).toThrow(expect.objectContaining({ code: 'bad-file' }) as Error);
    expect(read).toThrow(message);
  });

  test('refuses text that is not JSON', () => {
    expect(() => readDb('db.json', '{"format"')).toThrow(/^db\.json: expected JSON, found /);
  });
});
