import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

test('work is done in order, also after a failure', async () => {
  const turns = new Turns();
  const done: string[] = [];
  const work = (name: string, wait: number) => () =>
    new Promise<string>((resolve) => setTimeout(() => resolve((done.push(name), name)), wait));
  const first = turns.take(work('first', 5));
  const failing = turns.take(() => {
    throw new Error('refused');
  });
  const last = turns.take(work('last', 0));
  await expect(failing).rejects.toThrow('refused');
  await turns.settled();
  expect(done).toEqual(['first', 'last']);
  expect(await Promise.all([first, last])).toEqual(['first', 'last']);
});
