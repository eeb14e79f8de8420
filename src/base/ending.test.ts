import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { Ending } from './ending.ts';

test('a wait returns what it waits for', async () => {
  const ending = new Ending<Error>();
  expect(await ending.orElse(Promise.resolve(5))).toBe(5);
  await expect(ending.orElse(Promise.reject(new Error('no')))).rejects.toThrow('no');
});

test('the ending cuts all waits short, also later ones', async () => {
  const ending = new Ending<Error>();
  const never = new Promise<number>(() => undefined);
  const waits = [ending.orElse(never), ending.orElse(never)];
  const over = new Error('over');
  ending.happen(over);
  ending.happen(new Error('again'));
  expect(await Promise.all(waits)).toEqual([over, over]);
  expect(await ending.orElse(never)).toBe(over);
  expect(await ending.orElse(Promise.reject(new Error('unheard')))).toBe(over);
  expect(ending.value).toBe(over);
});

test('holds no reference to a finished wait', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const ending = new Ending<Error>();
  const wait = async () => new WeakRef(await ending.orElse(Promise.resolve({ large: new Uint8Array(1000) })));
  const outcome = await wait();
  await new Promise((done) => setTimeout(done, 10));
  collectGarbage();
  expect(outcome.deref()).toBeUndefined();
});
