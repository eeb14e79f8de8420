import { expect, test } from 'vitest';
import { testActivationReference } from '../../testing/activation.ts';
import { silu } from './reference.ts';

testActivationReference('silu', silu);

test('by hand', () => {
  expect(silu.value(Math.log(3))).toBeCloseTo(0.75 * Math.log(3), 14);
  expect(silu.slope(0)).toBe(0.5);
});

test('infinities as in PyTorch, where -Infinity times 0 is NaN', () => {
  expect([Infinity, -Infinity, NaN].map(silu.value)).toEqual([Infinity, NaN, NaN]);
  expect([Infinity, -Infinity, NaN].map(silu.slope)).toEqual([NaN, NaN, NaN]);
});
