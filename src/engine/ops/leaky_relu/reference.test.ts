import { expect, test } from 'vitest';
import { testActivationReference } from '../../testing/activation.ts';
import op from './index.ts';
import { leakyRelu } from './reference.ts';

testActivationReference('leaky_relu', leakyRelu());
testActivationReference('leaky_relu, slope -2', leakyRelu(-2));

test('by hand', () => {
  expect([3, -4, Infinity, -Infinity, NaN].map(leakyRelu(0.5).value)).toEqual([
    3,
    -2,
    Infinity,
    -Infinity,
    NaN,
  ]);
  expect([3, -4, 0].map(leakyRelu(0.5).slope)).toEqual([1, 0.5, 0.5]);
});

test('refuses what is no number', () => {
  expect(() => op.outputShape({ negativeSlope: 1e21 }, [1])).toThrow(
    /leaky_relu: negativeSlope: expected a number from -1e20 to 1e20, found 1e\+21/,
  );
});
