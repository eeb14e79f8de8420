import { expect, test } from 'vitest';
import { Curve } from './curve.ts';
import { epochOf, secondsPerStep } from './forecast.ts';

test('the pace is that of recent steps', () => {
  const curve = new Curve(1024);
  curve.batchSize = 10;
  for (let step = 1; step <= 600; step++) {
    curve.append([
      { step, loss: 1, accuracy: 0.5, imagesPerSecond: step > 300 ? 100 : 10, learningRate: 0.1 },
    ]);
  }
  expect(secondsPerStep(curve.points, curve.count)).toBeCloseTo(0.1);
  expect(secondsPerStep(curve.points, 1)).toBeNaN();
});

test('a power law is extrapolated to the target', () => {
  const evaluations = [1, 2, 3, 4].map((epoch) => ({ epoch, testAccuracy: 1 - 0.2 / epoch }));
  expect(epochOf(0.981, evaluations)).toBe(11);
  expect(epochOf(0.981, evaluations.slice(0, 2))).toBeUndefined();
  expect(epochOf(1, evaluations)).toBeUndefined();
});

test('an accuracy that does not grow gives no forecast', () => {
  const evaluations = [1, 2, 3].map((epoch) => ({ epoch, testAccuracy: 0.9 - 0.01 * epoch }));
  expect(epochOf(0.95, evaluations)).toBeUndefined();
});
