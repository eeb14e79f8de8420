import { beforeEach, expect, test, vi } from 'vitest';

const kept = new Map<string, string>();
vi.mock('../../../state/remember.ts', () => ({
  recall: (key: string) => kept.get(key) ?? null,
  remember: (key: string, value: string) => void kept.set(key, value),
}));

/** The store as a new visit finds it. */
const visit = async () => {
  vi.resetModules();
  return import('./progress.ts');
};

beforeEach(() => kept.clear());

test('answers are kept in their order, wrong ones too, and with what a task was done', async () => {
  const first = await visit();
  first.noteProgress('loss', { prediction: 3, started: true });
  for (const answer of [1, 3, 2]) first.noteAnswer('loss', 1, answer);
  const evidence = {
    at: '2026-11-27T00:00:00.000Z',
    values: [0.4, true, null],
    run: { record: 'r', seed: 1, step: 157, engine: 'cpu' as const },
  };
  first.noteDone('loss', 1, evidence);
  const next = await visit();
  expect(next.progressOf('loss')).toMatchObject({
    prediction: 3,
    answers: [[], [1, 3, 2]],
    done: [null, evidence],
  });
  expect([0, 1].map((task) => next.isDone(next.progressOf('loss'), task))).toEqual([false, true]);
  next.forgetProgress('loss');
  expect((await visit()).progressOf('loss').answers).toEqual([]);
});

test.each(['{', 'null', '[]', '{"loss":{"done":"all"}}'])(
  'what is damaged is forgotten: %s',
  async (text) => {
    kept.set('lessons', text);
    const store = await visit();
    expect(store.progressOf('loss').done).toEqual([]);
    store.noteAnswer('loss', 0, 1);
    expect((await visit()).progressOf('loss').answers).toEqual([[1]]);
  },
);

test('of many lessons, the last ones are kept', async () => {
  const store = await visit();
  for (let i = 0; i < 100; i++) store.noteProgress(`sent-${i}`, { prediction: 1 });
  expect(store.progressOf('sent-0').prediction).toBeUndefined();
  expect(store.progressOf('sent-99').prediction).toBe(1);
});
