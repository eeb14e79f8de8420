import { expect, test } from 'vitest';
import { OnDemand, owning } from './owned.ts';

const thing = (freed: string[], name: string) => ({ destroy: () => void freed.push(name) });

test('what a failed construction owned is freed, and the failure passes through', async () => {
  const freed: string[] = [];
  const made = owning(async ({ own }) => {
    own(thing(freed, 'a'));
    own(thing(freed, 'b'));
    throw new Error('no memory');
  });
  await expect(made).rejects.toThrow('no memory');
  expect(freed).toEqual(['a', 'b']);
});

test('what a construction owns is freed by its owner, once', async () => {
  const freed: string[] = [];
  const owned = await owning(async (its) => (its.own(thing(freed, 'a')), its));
  expect(freed).toEqual([]);
  owned.destroy();
  owned.destroy();
  expect(freed).toEqual(['a']);
});

test('what is made on demand is made once, and again after a failure', async () => {
  const freed: string[] = [];
  let tries = 0;
  const demand = new OnDemand(async () => {
    if (tries++ === 0) throw new Error('no memory');
    return thing(freed, 'a');
  });
  await expect(demand.get()).rejects.toThrow('no memory');
  expect(await demand.get()).toBe(await demand.get());
  expect(tries).toBe(2);
  demand.destroy();
  await demand.get();
  expect(freed).toEqual(['a']);
});
