import { describe, expect, test } from 'vitest';
import { fetchShaders, shaderSource } from '../../../gpu/sources.ts';
import { normals } from '../../testing/fixtures.ts';
import { gradcheck } from '../../testing/gradcheck.ts';
import { ops } from '../registry.ts';
import { completeAttributes } from '../../../ops/attributes.ts';
import { ACTIVATIONS } from './activations.ts';
import { activationReference, elementwiseBackward, elementwiseForward } from './reference.ts';
import { normalCdf, normalDensity } from '../../../base/normal.ts';

test.each([
  ...ACTIVATIONS.map(({ name }) => ({ name, attributes: {} })),
  { name: 'leaky_relu', attributes: { negativeSlope: -2 } },
  { name: 'elu', attributes: { alpha: 2.5 } },
  { name: 'gelu', attributes: { approximate: 'tanh' } },
  { name: 'softplus', attributes: { beta: 3, threshold: 5 } },
  { name: 'scale', attributes: { factor: -2.5 } },
  { name: 'clip', attributes: { min: -1.5, max: 2.5 } },
  { name: 'hard_sigmoid', attributes: { slope: 0.2 } },
])('$name $attributes: the slope agrees with central differences', ({ name, attributes }) => {
  const reference = activationReference(name, attributes);
  const x = normals(1, [30]).data.map((value) => 3 * value);
  gradcheck(
    name,
    x,
    (v) => elementwiseForward(reference, v),
    (dy) => elementwiseBackward(reference, x, dy),
  );
});

describe('by hand', () => {
  test('leaky_relu', () => {
    const { value, slope } = activationReference('leaky_relu', { negativeSlope: 0.5 });
    expect([3, -4, Infinity, -Infinity, NaN].map(value)).toEqual([3, -2, Infinity, -Infinity, NaN]);
    expect([3, -4, 0].map(slope)).toEqual([1, 0.5, 0.5]);
  });

  test('elu', () => {
    const { value, slope } = activationReference('elu', { alpha: 2 });
    expect(value(-Math.log(4))).toBeCloseTo(-1.5, 14);
    expect([3, Infinity, -Infinity, NaN].map(value)).toEqual([3, Infinity, -2, NaN]);
    expect([3, 0, -Infinity].map(slope)).toEqual([1, 2, 0]);
  });

  test('sigmoid', () => {
    const { value, slope } = activationReference('sigmoid', {});
    expect(value(Math.log(3))).toBeCloseTo(0.75, 14);
    expect(slope(Math.log(3))).toBeCloseTo(0.75 * 0.25, 14);
    expect([Infinity, -Infinity, NaN].map(value)).toEqual([1, 0, NaN]);
    expect([Infinity, -Infinity, NaN].map(slope)).toEqual([0, 0, NaN]);
  });

  test('silu', () => {
    const { value, slope } = activationReference('silu', {});
    expect(value(Math.log(3))).toBeCloseTo(0.75 * Math.log(3), 14);
    expect(slope(0)).toBe(0.5);
  });

  test('tanh', () => {
    const { value, slope } = activationReference('tanh', {});
    expect(value(Math.log(2))).toBeCloseTo(0.6, 14);
    expect(slope(Math.log(2))).toBeCloseTo(0.64, 14);
    expect([Infinity, -Infinity, NaN].map(slope)).toEqual([0, 0, NaN]);
  });

  test('softplus', () => {
    const { value, slope } = activationReference('softplus', { threshold: 3 });
    expect(activationReference('softplus', { beta: 2 }).value(0)).toBeCloseTo(Math.log(2) / 2, 14);
    expect(value(3.5)).toBe(3.5);
    expect(slope(3.5)).toBe(1);
    expect([Infinity, -Infinity, NaN].map(activationReference('softplus', {}).value)).toEqual([
      Infinity,
      0,
      NaN,
    ]);
  });

  test('gelu, by tables of the normal distribution', () => {
    const { value, slope } = activationReference('gelu', {});
    expect(value(1)).toBeCloseTo(0.8413447460685429, 14);
    expect(value(-2)).toBeCloseTo(-2 * 0.022750131948179212, 14);
    expect(slope(0)).toBe(0.5);
  });

  test('gelu by tanh, from its definition', () => {
    for (const x of [-4, -2, -0.3, 0, 1, 3]) {
      const tanh = Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3));
      const value = activationReference('gelu', { approximate: 'tanh' }).value(x);
      expect(value).toBeCloseTo(0.5 * x * (1 + tanh), 14);
      expect(Math.abs(value - activationReference('gelu', {}).value(x))).toBeLessThan(5e-4);
    }
  });
});

/** Values and slopes of PyTorch 2.13, whose hard swish of -Infinity alone is NaN, at -Infinity, -4, -3, -1.25, 0, 0.7, 3, 5, Infinity, NaN. */
const PIECEWISE = [
  ['clip', {}, [0, 0, 0, 0, 0, 0.7, 3, 5, 6, NaN], [0, 0, 0, 0, 0, 1, 1, 1, 0, 1]],
  [
    'clip',
    { min: -1.25, max: 3 },
    [-1.25, -1.25, -1.25, -1.25, 0, 0.7, 3, 3, 3, NaN],
    [0, 0, 0, 0, 1, 1, 0, 0, 0, 1],
  ],
  [
    'hard_sigmoid',
    {},
    [0, 0, 0, 7 / 24, 0.5, 0.6166666666666667, 1, 1, 1, NaN],
    [0, 0, 0, 1 / 6, 1 / 6, 1 / 6, 0, 0, 0, 0],
  ],
  [
    'hard_swish',
    {},
    [0, 0, 0, -0.3645833333333333, 0, 0.43166666666666664, 3, 5, Infinity, NaN],
    [0, 0, 0, 0.08333333333333331, 0.5, 0.7333333333333333, 1, 1, 1, 1],
  ],
  [
    'selu',
    {},
    [
      ...[-1.7580993408473766, -1.7258986281898945, -1.6705687287671118, -1.2543954463378648, 0],
      ...[0.7354906911488363, 3.1521029620664414, 5.253504936777402, Infinity, NaN],
    ],
    [
      ...[0, 0.03220071265748214, 0.08753061208026487, 0.5037038945095117, 1.7580993408473766],
      ...Array.from({ length: 5 }, () => 1.0507009873554805),
    ],
  ],
] as const;

test.each(PIECEWISE)('%s %j as in PyTorch', (name, attributes, values, slopes) => {
  const { value, slope } = activationReference(name, attributes);
  const at = [-Infinity, -4, -3, -1.25, 0, 0.7, 3, 5, Infinity, NaN];
  const rounded = (numbers: readonly number[]) => numbers.map((number) => Number(number.toPrecision(14)));
  expect(rounded(at.map(value))).toEqual(rounded(values));
  expect(rounded(at.map(slope))).toEqual(rounded(slopes));
});

test.each([
  ['silu', {}],
  ['gelu', {}],
  ['gelu', { approximate: 'tanh' }],
])('%s %j: infinities as in PyTorch, where -Infinity times 0 is NaN', (name, attributes) => {
  const { value, slope } = activationReference(name, attributes);
  expect([Infinity, -Infinity, NaN].map(value)).toEqual([Infinity, NaN, NaN]);
  expect([Infinity, -Infinity, NaN].map(slope)).toEqual([NaN, NaN, NaN]);
});

test.each([
  ...['1', null, NaN, Infinity].map(
    (alpha) => ['elu', { alpha }, /elu: expected alpha to be a number from/] as const,
  ),
  [
    'leaky_relu',
    { negativeSlope: 1e21 },
    /leaky_relu: expected negativeSlope .* from -1e20 to 1e20, found 1e\+21/,
  ],
  ['softplus', { beta: 0 }, /softplus: expected beta to be a number above 0, found 0/],
  ['gelu', { approximate: 'erf' }, /gelu: expected approximate to be "none" or "tanh", found "erf"/],
] as const)('%s refuses %j', (name, attributes, message) => {
  expect(() => completeAttributes(ops.get(name), attributes)).toThrow(message);
});

test.each([
  [0, 0.5],
  [-1, 0.15865525393145707],
  [-2, 0.022750131948179212],
  [-3, 0.0013498980316300933],
  [-6, 9.865876450376981e-10],
  [-10, 7.61985302416052e-24],
  [2, 0.9772498680518208],
])('the probability of a normal number below %d', (x, expected) => {
  expect(Math.abs(normalCdf(x) / expected - 1)).toBeLessThan(1e-12);
});

test('the series and the continued fraction meet', () => {
  for (const x of [-3, 3]) {
    const step = normalCdf(x) - normalCdf(x - Math.sign(x) * 1e-9);
    expect(Math.abs(step - Math.sign(x) * 1e-9 * normalDensity(x))).toBeLessThan(1e-15);
  }
});

test('the normal distribution at infinities and NaN', () => {
  expect([NaN, Infinity, -Infinity].map(normalCdf)).toEqual([NaN, 1, 0]);
});

/** The function that the polynomial approximates. */
const factor = (u: number): number => {
  const a = (3 * (1 + u)) / (1 - u);
  return (a + 3) * normalCdf(-a) * Math.exp(0.5 * a * a);
};

/** Coefficients, lowest power first, of the polynomial through (x, y), by Newton's divided differences. */
function interpolate(x: readonly number[], y: readonly number[]): number[] {
  const differences = [...y];
  for (let order = 1; order < x.length; order++) {
    for (let i = x.length - 1; i >= order; i--)
      differences[i] = (differences[i] - differences[i - 1]) / (x[i] - x[i - order]);
  }
  let polynomial: number[] = [];
  for (let i = x.length - 1; i >= 0; i--) {
    // Times (u - x[i]), plus the difference.
    const shifted = [differences[i], ...polynomial];
    polynomial.forEach((coefficient, power) => (shifted[power] -= x[i] * coefficient));
    polynomial = shifted;
  }
  return polynomial;
}

test('the polynomial of shaders/activation/gelu.wgsl, computed again', async () => {
  await fetchShaders();
  const [, text] = /let p = ([^;]+);/.exec(shaderSource('activation/gelu')) ?? [];
  const found = (text.match(/-?0\.\d+/g) ?? []).map(Number);
  // Chebyshev's points from u = -1 (a = 0) to u = 1/2 (a = 9).
  const points = found.map((_, i) => 0.75 * Math.cos(((2 * i + 1) * Math.PI) / (2 * found.length)) - 0.25);
  const made = interpolate(points, points.map(factor));
  expect(found).toHaveLength(9);
  for (const [i, coefficient] of made.entries()) {
    expect(Math.abs(found[i] - coefficient), `power ${i}`).toBeLessThan(1e-8);
  }
  // Its error.
  for (let u = -1; u <= 0.5; u += 1e-4) {
    const value = found.reduceRight((sum, coefficient) => sum * u + coefficient, 0);
    expect(Math.abs(value / factor(u) - 1)).toBeLessThan(2e-8);
  }
});
