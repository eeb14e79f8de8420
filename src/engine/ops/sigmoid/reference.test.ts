import { expect, test } from 'vitest';
import { testActivationReference } from '../../testing/activation.ts';
import { sigmoid } from './reference.ts';

testActivationReference('sigmoid', sigmoid);

test('by hand', () => {
  expect(sigmoid.value(Math.log(3))).toBeCloseTo(0.75, 14);
  expect(sigmoid.slope(Math.log(3))).toBeCloseTo(0.75 * 0.25, 14);
  expect([Infinity, -Infinity, NaN].map(sigmoid.value)).toEqual([1, 0, NaN]);
  expect([Infinity, -Infinity, NaN].map(sigmoid.slope)).toEqual([0, 0, NaN]);
});
