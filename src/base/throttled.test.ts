import { expect, test, vi } from 'vitest';
import { throttled } from './throttled.ts';

test('requests are merged, run one at a time, at most once per interval', async () => {
  vi.useFakeTimers();
  let running = 0;
  const starts: number[] = [];
  const request = throttled(100, async () => {
    starts.push(Date.now());
    expect(++running).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    running--;
  });
  const zero = Date.now();
  request();
  request();
  await vi.advanceTimersByTimeAsync(10);
  request();
  request();
  await vi.advanceTimersByTimeAsync(1000);
  request();
  await vi.advanceTimersByTimeAsync(1000);
  expect(starts.map((at) => at - zero)).toEqual([0, 130, 1010]);
  vi.useRealTimers();
});
