import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startHeartbeat } from './heartbeat.ts';

let stop: () => void;
/** Answers the last question. */
let answer: () => void;
let said: boolean[];
let isSilent: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  said = [];
  isSilent = false;
  const ask = () => (isSilent ? new Promise<void>((done) => (answer = done)) : Promise.resolve());
  stop = startHeartbeat(ask, (responds) => said.push(responds));
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

test('a worker that answers is not reported', async () => {
  await vi.advanceTimersByTimeAsync(60_000);
  expect(said).toEqual([]);
});

test('silence is reported within two seconds, and so is its end', async () => {
  await vi.advanceTimersByTimeAsync(1000);
  isSilent = true;
  await vi.advanceTimersByTimeAsync(2000);
  expect(said).toEqual([false]);
  await vi.advanceTimersByTimeAsync(10_000);
  isSilent = false;
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(said).toEqual([false, true]);
});

test('answers that come late do not add up to silence', async () => {
  isSilent = true;
  for (let times = 0; times < 3; times++) {
    await vi.advanceTimersByTimeAsync(1000);
    answer();
  }
  expect(said).toEqual([]);
});

test('while this thread is busy or its timers are throttled, nothing is reported of a worker that answers', async () => {
  isSilent = true;
  for (let look = 0; look < 10; look++) {
    // Seconds pass, in which the timer fires once; the answer that came meanwhile is read after it.
    vi.setSystemTime(Date.now() + 5000);
    vi.advanceTimersByTime(350);
    answer();
    await Promise.resolve();
  }
  expect(said).toEqual([]);
});

test('once it is ended, nothing is asked or reported', async () => {
  isSilent = true;
  await vi.advanceTimersByTimeAsync(500);
  stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(said).toEqual([]);
});
