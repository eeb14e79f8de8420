import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pacing } from './pacing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the speed of chunks that end together is that of both', () => {
  const pacing = new Pacing();
  pacing.restart();
  pacing.speed(1);
  vi.advanceTimersByTime(1000);
  expect(pacing.speed(1)).toBeCloseTo(1);
  expect(pacing.speed(1)).toBeCloseTo(1);
  vi.advanceTimersByTime(1000);
  expect(pacing.speed(1)).toBeCloseTo(2);
});

test('a pause does not count', () => {
  const pacing = new Pacing();
  pacing.restart();
  pacing.speed(1);
  vi.advanceTimersByTime(100);
  expect(pacing.speed(2)).toBeCloseTo(20);
  vi.advanceTimersByTime(10_000);
  pacing.restart();
  pacing.speed(2);
  vi.advanceTimersByTime(100);
  expect(pacing.speed(2)).toBeCloseTo(20);
});
