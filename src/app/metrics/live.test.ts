import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LiveMetrics } from './live.ts';

const row = (step: number) => [{ step, loss: 1, accuracy: 0.5, imagesPerSecond: 100, learningRate: 0.1 }];
const evaluation = (step: number, confusion = new Uint32Array(4)) => ({
  step,
  epoch: step / 10,
  testLoss: 1,
  testAccuracy: 0.9,
  confusion,
});

describe('LiveMetrics', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  test('the rate is that of the clock, tests and all, of the last seconds without a pause', () => {
    const live = new LiveMetrics();
    const train = (from: number, count: number, ms: number) => {
      for (let step = from; step < from + count; step++) {
        vi.advanceTimersByTime(ms);
        live.addSteps(row(step));
      }
    };
    train(1, 10, 100);
    expect(live.stepsPerSecond).toBeUndefined();
    train(11, 1, 100);
    expect(live.stepsPerSecond).toBeCloseTo(10, 3);
    // A test of a second.
    train(12, 1, 1000);
    train(13, 9, 100);
    expect(live.stepsPerSecond).toBeCloseTo(20 / 2.9, 3);
    train(22, 200, 100);
    expect(live.stepsPerSecond).toBeCloseTo(10, 3);
    live.forgetRate();
    vi.advanceTimersByTime(60_000);
    train(222, 11, 50);
    expect(live.stepsPerSecond).toBeUndefined();
    train(233, 11, 50);
    expect(live.stepsPerSecond).toBeCloseTo(20, 3);
    // A run that returns to a checkpoint counts from there.
    train(5, 1, 50);
    expect(live.stepsPerSecond).toBeUndefined();
  });

  test('notifies its listeners at most ten times per second, and always of the last change', () => {
    const live = new LiveMetrics();
    const seen: number[] = [];
    live.subscribe(() => seen.push(live.step));
    for (let step = 1; step <= 1000; step++) {
      live.addSteps(row(step));
      vi.advanceTimersByTime(1);
    }
    vi.advanceTimersByTime(200);
    expect(seen.length).toBeLessThanOrEqual(12);
    expect(seen.length).toBeGreaterThanOrEqual(9);
    expect(seen.at(-1)).toBe(1000);
  });

  test('repeated steps remove later evaluations', () => {
    const live = new LiveMetrics();
    for (let step = 1; step <= 20; step++) live.addSteps(row(step));
    live.addEvaluation(evaluation(10));
    live.addEvaluation(evaluation(20));
    live.setPosition(12, 1);
    expect(live.evaluations.map((e) => e.step)).toEqual([10]);
    expect(live.curve.last?.step).toBe(12);
    live.addSteps(row(13));
    expect(live.step).toBe(13);
  });

  test('thousands of evaluations stay bounded', () => {
    const live = new LiveMetrics();
    for (let step = 1; step <= 10_000; step++) {
      live.addSteps(row(step));
      live.addEvaluation(evaluation(step));
    }
    expect(live.evaluations.length).toBeLessThanOrEqual(2048);
    expect(live.lastEvaluation?.step).toBe(10_000);
  });

  test('every evaluation has its confusion matrix, unless they are too large', () => {
    const live = new LiveMetrics();
    for (let step = 1; step <= 5; step++) live.addEvaluation(evaluation(step, Uint32Array.of(step, 0, 0, 1)));
    expect(live.evaluations.map((e) => e.confusion?.[0])).toEqual([1, 2, 3, 4, 5]);
    live.clear();
    for (let step = 1; step <= 8; step++) live.addEvaluation(evaluation(step, new Uint32Array(2 ** 19)));
    const kept = live.evaluations.map((e) => e.confusion !== undefined);
    expect(kept.filter(Boolean).length).toBeLessThanOrEqual(4);
    expect(kept.at(-1)).toBe(true);
  });
});
