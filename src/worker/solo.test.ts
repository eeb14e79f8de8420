import { expect, test } from 'vitest';
import { Failure } from '../base/result.ts';
import { Solo } from './solo.ts';

/** A run that trains, or not. */
function pretended(trains: boolean) {
  const told: string[] = [];
  const solo = new Solo({
    async rest() {
      told.push('rest');
      return trains;
    },
    async goOn() {
      told.push('on');
    },
  });
  return { solo, told };
}

test('a run rests meanwhile and goes on afterwards, also after a failure', async () => {
  const { solo, told } = pretended(true);
  await expect(solo.run(async () => told.push('work'))).resolves.toBe(2);
  expect(told).toEqual(['rest', 'work', 'on']);
  await expect(solo.run(() => Promise.reject(new Failure('unsupported', 'no')))).rejects.toThrow('no');
  expect(told).toEqual(['rest', 'work', 'on', 'rest', 'on']);
  solo.requireIdle();
});

test('a run that rested before is left to rest', async () => {
  const { solo, told } = pretended(false);
  await solo.run(async () => undefined);
  expect(told).toEqual(['rest']);
});

test('one thing at a time, and it can be ended', async () => {
  const { solo } = pretended(true);
  let end = () => {};
  const waiting = new Promise<void>((done) => (end = done));
  const first = solo.run(async (goOn) => {
    await waiting;
    return goOn();
  });
  expect(() => solo.requireIdle()).toThrow('being measured');
  await expect(solo.run(async () => undefined)).rejects.toMatchObject({ code: 'busy' });
  solo.cancel();
  end();
  await expect(first).resolves.toBe(false);
  solo.requireIdle();
});
