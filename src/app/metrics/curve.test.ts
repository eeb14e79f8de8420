import { describe, expect, test } from 'vitest';
import type { StepRow } from '../../run/metrics/rows.ts';
import { Curve } from './curve.ts';

/** Rows for steps from..to, with a loss that tells the step. */
const rows = (from: number, to: number, loss = (step: number) => 1 / step): StepRow[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i).map((step) => ({
    step,
    loss: loss(step),
    accuracy: 0.5,
    imagesPerSecond: 1000,
    learningRate: 0.01,
    gradientNorm: step,
  }));

const steps = (curve: Curve) => [...curve.points.step.subarray(0, curve.count)];

describe('Curve', () => {
  test('stores every step up to its capacity', () => {
    const curve = new Curve(8);
    curve.append(rows(1, 5));
    expect(steps(curve)).toEqual([1, 2, 3, 4, 5]);
    expect(curve.points.loss[4]).toBeCloseTo(0.2);
    expect(curve.last).toEqual({
      step: 5,
      loss: 0.2,
      accuracy: 0.5,
      imagesPerSecond: 1000,
      learningRate: 0.01,
      gradientNorm: 5,
    });
  });

  test('merges neighbours when full, and means stay means', () => {
    const curve = new Curve(8);
    curve.append(rows(1, 1000, (step) => step));
    expect(curve.count).toBeLessThanOrEqual(8);
    expect(curve.stride).toBe(128);
    for (let i = 0; i < curve.count; i++) {
      const last = curve.points.step[i];
      expect(last).toBe((i + 1) * curve.stride);
      expect(curve.points.loss[i]).toBeCloseTo(last - (curve.stride - 1) / 2);
    }
  });

  test('stores the first and last ten rows unchanged', () => {
    const curve = new Curve(8);
    curve.append(rows(1, 500));
    expect(curve.head.map((row) => row.step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(curve.tail.map((row) => row.step)).toEqual([491, 492, 493, 494, 495, 496, 497, 498, 499, 500]);
  });

  test('a repeated step replaces everything after it', () => {
    const curve = new Curve(64);
    curve.append(rows(1, 20));
    curve.append(rows(15, 18, () => 7));
    expect(steps(curve)).toEqual(Array.from({ length: 18 }, (_, i) => i + 1));
    expect(curve.points.loss[13]).toBeCloseTo(1 / 14);
    expect(curve.points.loss[14]).toBe(7);
    expect(curve.tail.at(-1)?.step).toBe(18);
  });

  test('rewinding to the start leaves an empty curve, and smoothing restarts', () => {
    const curve = new Curve(64);
    curve.append(rows(1, 20, () => 9));
    curve.append(rows(1, 1, () => 2));
    expect(steps(curve)).toEqual([1]);
    expect(curve.head).toHaveLength(1);
    expect(curve.points.smoothLoss[0]).toBeCloseTo(2);
  });

  test('rewinding to before the last rows ends at the point there, not at the first rows', () => {
    const curve = new Curve(128);
    curve.append(rows(1, 60, (step) => step));
    curve.rewind(40);
    expect(curve.last).toMatchObject({ step: 40, loss: 40 });
    curve.append(rows(41, 42, (step) => step));
    expect(curve.tail.map(({ step }) => step)).toEqual([40, 41, 42]);
  });

  test('smoothing starts at the first value and follows slowly', () => {
    const curve = new Curve(64);
    curve.append(rows(1, 1, () => 4));
    expect(curve.points.smoothLoss[0]).toBeCloseTo(4);
    curve.append(rows(2, 40, () => 4));
    curve.append(rows(41, 41, () => 0));
    expect(curve.points.smoothLoss[40]).toBeGreaterThan(3);
    expect(curve.points.smoothLoss[40]).toBeLessThan(4);
  });

  test('a NaN loss does not affect the average', () => {
    const curve = new Curve(64);
    curve.append(rows(1, 3, (step) => (step === 2 ? NaN : 1)));
    expect(curve.points.loss[1]).toBeNaN();
    expect(curve.points.smoothLoss[2]).toBeCloseTo(1);
  });

  test('gives the time, the learning rate and the range of losses, also after merging', () => {
    const curve = new Curve(8);
    curve.batchSize = 100;
    curve.append(rows(1, 16, (step) => step));
    expect(curve.stride).toBe(4);
    const { seconds, lowLoss, highLoss, learningRate, gradientNorm } = curve.points;
    expect(seconds[3]).toBeCloseTo(1.6);
    expect([lowLoss[3], highLoss[3]]).toEqual([13, 16]);
    expect(learningRate[3]).toBeCloseTo(0.01);
    expect(gradientNorm[3]).toBe(14.5);
    curve.append(rows(9, 9));
    expect(curve.points.seconds[1]).toBeCloseTo(0.8);
  });

  test('smoothing can be changed, also for later steps', () => {
    const noisy = (step: number) => (step % 2 === 0 ? 1 : 3);
    const curve = new Curve(512);
    curve.append(rows(1, 200, noisy));
    const { smoothLoss } = curve.points;
    const calm = Math.abs(smoothLoss[199] - 2);
    curve.lookBack = 1;
    expect([smoothLoss[198], smoothLoss[199]]).toEqual([3, 1]);
    curve.append(rows(201, 201, noisy));
    expect(smoothLoss[200]).toBe(3);
    curve.lookBack = 64;
    expect(Math.abs(smoothLoss[199] - 2)).toBeCloseTo(calm);
  });
});
