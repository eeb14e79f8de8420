import { expect, test } from 'vitest';
import { cos, exp, log, power } from './portable-math.ts';
import { Random } from './random.ts';

/** Rounding of a float64: results here may be a few of them off. */
const LAST_BITS = 3 * Number.EPSILON;
const random = new Random(1);
const numbers = Array.from({ length: 20_000 }, () => random.uniform());

test('they are those of Math but for last bits', () => {
  const worst = { log: 0, cos: 0, power: 0, exp: 0 };
  const note = (name: keyof typeof worst, found: number, wanted: number, bound: number) =>
    (worst[name] = Math.max(worst[name], Math.abs(found - wanted) / bound));
  for (const x of numbers) {
    for (const one of [x, 1e9 * x, 1e-9 * x, 1 + 1e-3 * x])
      note('log', log(one), Math.log(one), LAST_BITS * Math.abs(Math.log(one)));
    note('cos', cos(Math.PI * x), Math.cos(Math.PI * x), LAST_BITS);
    note('power', power(x, 20), x ** 20, 20 * LAST_BITS * x ** 20);
    note('exp', exp(-700 * x), Math.exp(-700 * x), 2048 * LAST_BITS * Math.exp(-700 * x));
  }
  for (const [name, error] of Object.entries(worst)) expect(error, name).toBeLessThan(1);
});

test('at the ends they are exact', () => {
  expect([log(1), cos(0), cos(Math.PI), power(0.9, 0), power(0, 0), power(0.5, 10)]).toEqual([
    0,
    1,
    -1,
    1,
    1,
    2 ** -10,
  ]);
  expect([exp(0), exp(-1e4), exp(-Infinity)]).toEqual([1, 0, 0]);
});

test('the bits of some results, which every browser computes', () => {
  const bits = new DataView(new ArrayBuffer(8));
  let hash = 0;
  for (const x of numbers)
    for (const value of [log(x), cos(3 * x), exp(-30 * x), power(0.999, Math.floor(9999 * x))]) {
      bits.setFloat64(0, value);
      hash = (Math.imul(hash ^ bits.getInt32(0), 0x01000193) ^ bits.getInt32(4)) >>> 0;
    }
  expect(hash.toString(16)).toBe('7f2fbb3e');
});
