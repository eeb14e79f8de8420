import { describe, expect, test } from 'vitest';
import { compare, expectClose, expectExact, relativeError } from './check.ts';

const f32 = (...values: number[]) => new Float32Array(values);
const f64 = (...values: number[]) => new Float64Array(values);

describe('relativeError', () => {
  test('is the largest difference over the largest expected value', () => {
    expect(relativeError(f32(1, -3, 2), f64(1, -4, 2.5))).toBe(0.25);
    expect(compare(f32(1, -3, 2), f64(1, -4, 2.5)).index).toBe(1);
    expect(relativeError(f32(), f64())).toBe(0);
  });

  test.each([NaN, Infinity, -Infinity])('%f never equals anything', (value) => {
    expect(compare(f32(0, value), f64(0, value))).toEqual({
      error: Infinity,
      difference: Infinity,
      index: 1,
    });
    expect(relativeError(f32(value), f64(1))).toBe(Infinity);
    expect(relativeError(f32(1), f64(value))).toBe(Infinity);
  });

  test('zeros allow no difference', () => {
    expect(relativeError(f32(0, -0), f64(0, 0))).toBe(0);
    expect(relativeError(f32(0, 1e-30), f64(0, 0))).toBe(Infinity);
  });

  test('different lengths are a bug', () =>
    expect(() => relativeError(f32(1), f64(1, 2))).toThrow(/1 numbers with 2/));
});

test('expectClose names the place and both values', () => {
  expectClose('same', f32(1, 2), f64(1, 2), 0);
  expect(() => expectClose('y', f32(1, 2.5), f64(1, 2), 1e-6)).toThrow(
    /y: relative error 2.50e-1.* at 1 .* 2, found 2.5/,
  );
  expect(() => expectClose('y', f32(NaN), f64(1), Infinity)).not.toThrow();
  expect(() => expectClose('y', f32(NaN), f64(1), 1e9)).toThrow(/Infinity/);
});

test('expectExact counts what is wrong', () => {
  expectExact('same', f32(1, -0), f64(1, 0));
  expect(() => expectExact('y', f32(1, 3, 4), f64(1, 2, 3))).toThrow(
    /2 of 3 .* first at 1: expected 2, found 3/,
  );
  expect(() => expectExact('y', f32(NaN), f64(NaN))).toThrow(/1 of 1/);
});
