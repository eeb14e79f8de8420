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

test('steps take from when they were submitted, or from when those before them were done', () => {
  const pacing = new Pacing();
  const submitted = performance.now();
  vi.advanceTimersByTime(10);
  for (let i = 0; i < 30; i++) {
    vi.advanceTimersByTime(8);
    pacing.stepped(4, submitted);
  }
  expect(pacing.fullSpeed.stepsPerSecond).toBeCloseTo(500);
  // Nothing was submitted meanwhile.
  vi.advanceTimersByTime(10_000);
  const later = performance.now();
  vi.advanceTimersByTime(8);
  pacing.stepped(4, later);
  expect(pacing.fullSpeed.stepsPerSecond).toBeCloseTo(500);
});
