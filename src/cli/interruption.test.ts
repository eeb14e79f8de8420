import { afterEach, expect, test, vi } from 'vitest';
import { Interruption } from './interruption.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('the first interruption lets the command save its work, any other ends the program at once', () => {
  const [stop, first, second] = [vi.fn<() => void>(), vi.fn<() => void>(), vi.fn<() => void>()];
  const interruption = new Interruption();
  interruption.on(stop);
  interruption.happen(first);
  expect([stop, first].map((one) => one.mock.calls.length)).toEqual([1, 0]);
  interruption.happen(second);
  expect([stop, first, second].map((one) => one.mock.calls.length)).toEqual([1, 0, 1]);
  interruption.finish();
  expect(first).toHaveBeenCalledOnce();
});

test('a command that saves nothing is ended by the first', () => {
  const [stop, end] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const interruption = new Interruption();
  interruption.on(stop)();
  interruption.happen(end);
  interruption.finish();
  expect([stop, end].map((one) => one.mock.calls.length)).toEqual([0, 1]);
});

test.each([
  ['SIGINT', 'SIGINT'],
  ['SIGTERM', 'SIGTERM'],
  ['SIGINT', 'SIGTERM'],
] as const)('%s, then %s: the process ends by the second signal', (first, second) => {
  const listeners = new Map<unknown, () => void>();
  vi.spyOn(process, 'on').mockImplementation((signal, listener) => {
    listeners.set(signal, listener as () => void);
    return process;
  });
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  const stop = vi.fn<() => void>();
  new Interruption().on(stop);
  listeners.get(first)?.();
  expect(stop).toHaveBeenCalledOnce();
  expect(kill).not.toHaveBeenCalled();
  listeners.get(second)?.();
  expect(stop).toHaveBeenCalledOnce();
  expect(kill).toHaveBeenCalledExactlyOnceWith(process.pid, second);
});
