import { expect, test } from 'vitest';
import { testActivationReference } from '../../testing/activation.ts';
import gelu from './index.ts';
import { gelu as exact, geluTanh } from './reference.ts';

testActivationReference('gelu', exact);
testActivationReference('gelu by tanh', geluTanh);

test('by tables of the normal distribution', () => {
  expect(exact.value(1)).toBeCloseTo(0.8413447460685429, 14);
  expect(exact.value(-2)).toBeCloseTo(-2 * 0.022750131948179212, 14);
  expect(exact.slope(0)).toBe(0.5);
});

test('by tanh, written as it is defined', () => {
  for (const x of [-4, -2, -0.3, 0, 1, 3]) {
    const tanh = Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3));
    expect(geluTanh.value(x)).toBeCloseTo(0.5 * x * (1 + tanh), 14);
    expect(Math.abs(geluTanh.value(x) - exact.value(x))).toBeLessThan(5e-4);
  }
});

test('infinities as in PyTorch, where -Infinity times 0 is NaN', () => {
  for (const { value, slope } of [exact, geluTanh]) {
    expect([Infinity, -Infinity, NaN].map(value)).toEqual([Infinity, NaN, NaN]);
    expect([Infinity, -Infinity, NaN].map(slope)).toEqual([NaN, NaN, NaN]);
  }
});

test('refuses another approximation', () => {
  expect(() => gelu.outputShape({ approximate: 'erf' as 'none' }, [1])).toThrow(
    /gelu: expected approximate to be "none" or "tanh", found "erf"/,
  );
});
