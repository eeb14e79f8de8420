import { expect, test } from 'vitest';
import { testActivationReference } from '../../testing/activation.ts';
import op from './index.ts';
import { elu } from './reference.ts';

testActivationReference('elu', elu());
testActivationReference('elu, alpha 2.5', elu(2.5));

test('by hand', () => {
  expect(elu(2).value(-Math.log(4))).toBeCloseTo(-1.5, 14);
  expect([3, Infinity, -Infinity, NaN].map(elu(2).value)).toEqual([3, Infinity, -2, NaN]);
  expect([3, 0, -Infinity].map(elu(2).slope)).toEqual([1, 2, 0]);
});

test('refuses what is no number', () => {
  for (const alpha of ['1', null, NaN, Infinity] as number[]) {
    expect(() => op.outputShape({ alpha }, [1])).toThrow(/elu: alpha: expected a number from/);
  }
});
