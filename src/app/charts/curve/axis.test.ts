import { expect, test } from 'vitest';
import { Curve } from '../../metrics/curve.ts';
import { lastUpTo, placeOf, placesOf } from './axis.ts';

const curve = new Curve(64);
curve.batchSize = 10;
// Ten steps of a second, then ten of half a second.
for (let step = 1; step <= 20; step++)
  curve.append([{ step, loss: 1, accuracy: 0.5, imagesPerSecond: step > 10 ? 20 : 10, learningRate: 0.1 }]);

test('points are placed by step, epoch and time', () => {
  const room = new Float64Array(64);
  const at = (axis: 'step' | 'epoch' | 'time') => placesOf(curve, axis, 2.5, room)[19];
  expect(at('step')).toBe(20);
  expect(at('epoch')).toBe(8);
  expect(at('time')).toBe(15);
});

test('so is any step, also between and after points', () => {
  expect(placeOf(curve, 'step', 2.5, 11)).toBe(11);
  expect(placeOf(curve, 'epoch', 2.5, 10)).toBe(4);
  expect(placeOf(curve, 'time', 2.5, 10.5)).toBe(10.25);
  expect(placeOf(curve, 'time', 2.5, 0)).toBe(0);
  expect(placeOf(curve, 'time', 2.5, 99)).toBe(15);
});

test('the last point up to a step', () => {
  const steps = Float64Array.of(2, 4, 6, 0);
  expect([1, 2, 5, 6, 9].map((step) => lastUpTo(steps, 3, step))).toEqual([-1, 0, 1, 2, 2]);
});
