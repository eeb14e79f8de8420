import { expect, test } from 'vitest';
import { randomWords, unit } from './random-words.ts';

/** The definition in exact integers: an LCG, then two rounds around a fold. */
function pcg4d(input: readonly number[]): number[] {
  const whole = (v: bigint) => BigInt.asUintN(32, v);
  const round = ([x, y, z, w]: bigint[]) => {
    const a = whole(x + y * w);
    const b = whole(y + z * a);
    const c = whole(z + a * b);
    return [a, b, c, whole(w + b * c)];
  };
  const start = input.map((v) => whole(BigInt(v) * 1664525n + 1013904223n));
  return round(round(start).map((v) => v ^ (v >> 16n))).map(Number);
}

const EDGES = [0, 1, 2, 255, 65536, 0x7fffffff, 0x80000000, 0xffffffff];

test('the words are those of the hash by its definition', () => {
  for (const seed of EDGES) {
    for (const stream of EDGES)
      for (const place of EDGES)
        expect(randomWords(seed, stream, place)).toEqual(pcg4d([place, stream, seed, 0]));
  }
});

test('signed and unsigned seeds are equivalent', () => {
  expect(randomWords(-1, 3, 4)).toEqual(randomWords(0xffffffff, 3, 4));
});

test('unit numbers lie in [0, 1)', () => {
  expect([0, 0xff, 0x100, 0x80000000, 0xffffffff].map(unit)).toEqual([0, 0, 2 ** -24, 0.5, 1 - 2 ** -24]);
});

/** The deviation of counts from uniform, normally distributed if they are uniform. */
function excess(counts: readonly number[]): number {
  const mean = counts.reduce((a, b) => a + b, 0) / counts.length;
  const chiSquare = counts.reduce((total, count) => total + (count - mean) ** 2 / mean, 0);
  // Wilson and Hilferty: the cube root is approximately normal.
  const freedom = counts.length - 1;
  const spread = 2 / (9 * freedom);
  return (Math.cbrt(chiSquare / freedom) - (1 - spread)) / Math.sqrt(spread);
}

const DRAWS = 1 << 16;
const along = {
  places: (i: number) => randomWords(7, 2, i),
  streams: (i: number) => randomWords(7, i, 2),
  seeds: (i: number) => randomWords(i, 2, 7),
};

test.each(Object.entries(along))('along %s the high bytes are even, alone and in pairs', (_, words) => {
  for (const lane of [0, 1, 2, 3]) {
    const bytes = Array.from({ length: DRAWS }, (_unused, i) => words(i)[lane] >>> 24);
    const single = new Array<number>(256).fill(0);
    const pairs = new Array<number>(256).fill(0);
    const lanes = new Array<number>(256).fill(0);
    bytes.forEach((byte, i) => {
      single[byte]++;
      pairs[(byte >>> 4) * 16 + (bytes[(i + 1) % DRAWS] >>> 4)]++;
      lanes[(byte >>> 4) * 16 + (words(i)[(lane + 1) % 4] >>> 28)]++;
    });
    for (const counts of [single, pairs, lanes]) expect(Math.abs(excess(counts))).toBeLessThan(4.5);
  }
});

test('one bit of any input flips half of the high 24 bits', () => {
  const trials = 400;
  for (const input of [0, 1, 2]) {
    for (let bit = 0; bit < 24; bit++) {
      let turned = 0;
      for (let i = 0; i < trials; i++) {
        const from = [1000 + i, i % 7, Math.imul(i, 0x9e3779b9) >>> 0];
        const to = from.map((value, k) => (k === input ? (value ^ (1 << bit)) >>> 0 : value));
        const [a, b] = [from, to].map(([place, stream, seed]) => randomWords(seed, stream, place));
        a.forEach((word, lane) => {
          for (let rest = (word ^ b[lane]) >>> 8; rest !== 0; rest &= rest - 1) turned++;
        });
      }
      expect(turned / (trials * 4 * 24), `input ${input}, bit ${bit}`).toBeCloseTo(0.5, 1);
    }
  }
});
