import { expect, test } from 'vitest';
import { ANY, get, i32, load, math, type Local, type MathFunction } from './nodes.ts';
import { encodeModule } from './encode.ts';

const bits = new Uint32Array(1);
const float = new Float32Array(bits.buffer);
const floatOf = (word: number): number => {
  bits[0] = word;
  return float[0];
};

/** A function of math.ts as WebAssembly alone. */
function compiled(name: MathFunction): (...args: number[]) => number {
  const place: Local = { type: 'i32', range: ANY };
  const args = [0, 4]
    .slice(0, name === 'pow' ? 2 : 1)
    .map((offset) => load('f32', get(place), offset, false));
  const code = encodeModule(
    {
      parameters: [place],
      body: [{ kind: 'store', address: i32(8), offset: 0, value: math(name, ...args) }],
    },
    false,
  );
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code), { env: { memory } });
  const run = exports['run'] as (place: number) => void;
  const values = new Float32Array(memory.buffer);
  return (...given) => {
    values.set(given);
    run(0);
    return values[2];
  };
}

/** Every 1,000,003rd float32 there is, of both signs, and what is odd. */
const FLOATS = [0, -0, 1, -1, Infinity, -Infinity, NaN, floatOf(1), 1e-5, -1e-5, 2 ** -126];
for (let word = 7; word < 2 ** 32; word += 1_000_003) FLOATS.push(floatOf(word));

/** The worst of what is measured at all of these. */
const worstOf = (numbers: readonly number[], errorAt: (x: number) => number) =>
  numbers.reduce((worst, x) => Math.max(worst, errorAt(x)), 0);

test.each(['exp', 'log', 'tanh'] as const)(
  '%s is the nearest float32 or its neighbour, everywhere',
  (name) => {
    const own = compiled(name);
    const spacings = (x: number): number => {
      const [found, wanted] = [own(x), Math.fround(Math[name](x))];
      if (Object.is(found, wanted)) return 0;
      return Math.abs(found - wanted) / Math.max(2 ** -149, Math.abs(wanted) * 2 ** -23);
    };
    expect(worstOf(FLOATS, spacings)).toBeLessThanOrEqual(1);
  },
);

test.each(['sin', 'cos'] as const)('%s is so for angles up to a million', (name) => {
  const own = compiled(name);
  const angles = FLOATS.filter((one) => Math.abs(one) <= 1e6);
  expect(worstOf(angles, (x) => Math.abs(own(x) - Math[name](x)))).toBeLessThan(1e-7);
  expect(own(NaN)).toBeNaN();
  // WGSL leaves it open, but not that it is a sine.
  expect(worstOf([1e10, -1e20, 3.4e38, Infinity], (x) => Math.abs(own(x)))).toBeLessThanOrEqual(1);
});

test('pow is so for numbers above 0, and as powers are at 0', () => {
  const own = compiled('pow');
  for (const a of [0.001, 0.3, 1, 2, 10, 12_345.678])
    for (let b = -40; b <= 40; b += 0.37) {
      const wanted = Math.fround(Math.fround(a) ** Math.fround(b));
      if (own(a, b) !== wanted) expect(own(a, b) / wanted, `${a} ** ${b}`).toBeCloseTo(1, 6);
    }
  expect([own(2, 10), own(0, 2), own(0, -1), own(5, 0), own(2, -151)]).toEqual([1024, 0, Infinity, 1, 0]);
  expect(own(-2, 2)).toBeNaN();
});
