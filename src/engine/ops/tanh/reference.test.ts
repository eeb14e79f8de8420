import { expect, test } from 'vitest';
import { testActivationReference } from '../../testing/activation.ts';
import { tanh } from './reference.ts';

testActivationReference('tanh', tanh);

test('by hand', () => {
  expect(tanh.value(Math.log(2))).toBeCloseTo(0.6, 14);
  expect(tanh.slope(Math.log(2))).toBeCloseTo(0.64, 14);
  expect([Infinity, -Infinity, NaN].map(tanh.slope)).toEqual([0, 0, NaN]);
});
