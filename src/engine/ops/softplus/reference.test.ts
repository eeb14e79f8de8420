import { expect, test } from 'vitest';
import { testActivationReference } from '../../testing/activation.ts';
import op from './index.ts';
import { softplus } from './reference.ts';

testActivationReference('softplus', softplus());
testActivationReference('softplus, beta 3, threshold 5', softplus(3, 5));

test('by hand', () => {
  expect(softplus(2).value(0)).toBeCloseTo(Math.log(2) / 2, 14);
  expect(softplus(1, 3).value(3.5)).toBe(3.5);
  expect(softplus(1, 3).slope(3.5)).toBe(1);
  expect([Infinity, -Infinity, NaN].map(softplus().value)).toEqual([Infinity, 0, NaN]);
});

test('refuses a beta of 0', () => {
  expect(() => op.outputShape({ beta: 0 }, [1])).toThrow(/softplus: expected beta to be above 0, found 0/);
});
