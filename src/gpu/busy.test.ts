import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchBusy } from './busy.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A device whose queue is done when `finish` is called. */
function watched() {
  const waiting: (() => void)[] = [];
  let lose: () => void = () => undefined;
  let hangs = false;
  const onSubmittedWorkDone = vi.fn<() => Promise<undefined>>(
    () => new Promise((done) => (hangs ? waiting.push(() => done(undefined)) : done(undefined))),
  );
  const lost = new Promise((done) => (lose = () => done({ wanted: false, message: 'lost' })));
  const said: boolean[] = [];
  watchBusy({ queue: { onSubmittedWorkDone }, lost } as never, (busy) => said.push(busy));
  return {
    said,
    onSubmittedWorkDone,
    lose: () => lose(),
    hang: () => (hangs = true),
    finish() {
      hangs = false;
      for (const done of waiting.splice(0)) done();
    },
  };
}

test('a GPU that hangs is reported within five seconds, and once more when it has finished', async () => {
  const { said, hang, finish } = watched();
  await vi.advanceTimersByTimeAsync(20_250);
  expect(said).toEqual([]);
  hang();
  await vi.advanceTimersByTimeAsync(5000);
  expect(said).toEqual([true]);
  await vi.advanceTimersByTimeAsync(60_000);
  finish();
  await vi.advanceTimersByTimeAsync(0);
  expect(said).toEqual([true, false]);
});

test('work that takes four seconds, again and again, is not reported', async () => {
  const { said, hang, finish } = watched();
  for (let task = 0; task < 5; task++) {
    hang();
    await vi.advanceTimersByTimeAsync(4000);
    finish();
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(said).toEqual([]);
});

test('a device that is lost is watched no longer', async () => {
  const { said, hang, lose, onSubmittedWorkDone } = watched();
  lose();
  await vi.advanceTimersByTimeAsync(0);
  const before = onSubmittedWorkDone.mock.calls.length;
  hang();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(said).toEqual([]);
  expect(onSubmittedWorkDone.mock.calls.length).toBe(before);
});
