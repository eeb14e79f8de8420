import { exp, log } from './portable-math.ts';

/** Places in the generator's state. */
const A = 0;
const B = 1;
const C = 2;
const COUNTER = 3;

/**
 * Seeded random numbers: sfc32 (Chris Doty-Humphrey, PractRand), seeded through splitmix32. The same seed and stream
 * give the same numbers on every machine. Streams are independent: more random weights do not change the shuffle.
 */
export class Random {
  /** Signed integers in memory of their own: as fields, engines would allocate each new one. */
  private readonly state = new Int32Array(4);
  /** The second of two normally distributed numbers, until it is asked for. */
  private readonly second = new Float64Array(1);
  private hasSecond = false;

  /**
   * @param seed any integer; its low 32 bits are used
   * @param stream names the use ("init", "shuffle"): one seed serves many independent uses
   */
  constructor(seed: number, stream = '') {
    let at = seed >>> 0;
    for (const character of stream) at = Math.imul(at ^ character.charCodeAt(0), 0x01000193) >>> 0;
    const next = () => {
      at = (at + 0x9e3779b9) >>> 0;
      let z = at;
      z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
      return (z ^ (z >>> 15)) | 0;
    };
    this.state.set([next(), next(), next(), 1]);
    for (let i = 0; i < 12; i++) this.uint32();
  }

  /** An integer, uniform on [0, 2^32). */
  uint32(): number {
    const { state } = this;
    const b = state[B];
    const c = state[C];
    const sum = (state[A] + b + state[COUNTER]) | 0;
    state[COUNTER]++;
    state[A] = b ^ (b >>> 9);
    state[B] = c + (c << 3);
    state[C] = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** A real number, uniform on [low, high). */
  uniform(low = 0, high = 1): number {
    return low + (high - low) * ((this.uint32() >>> 8) / 0x1000000);
  }

  /** An integer, uniform on [0, bound). */
  below(bound: number): number {
    // Rejection keeps every value equally likely.
    const limit = 0x100000000 - (0x100000000 % bound);
    let value = this.uint32();
    while (value >= limit) value = this.uint32();
    return value % bound;
  }

  /** A normally distributed number (Marsaglia's polar method). */
  normal(mean = 0, deviation = 1): number {
    if (this.hasSecond) {
      this.hasSecond = false;
      return mean + deviation * this.second[0];
    }
    for (;;) {
      const u = this.uniform(-1, 1);
      const v = this.uniform(-1, 1);
      const s = u * u + v * v;
      if (s >= 1 || s === 0) continue;
      const factor = Math.sqrt((-2 * log(s)) / s);
      this.second[0] = v * factor;
      this.hasSecond = true;
      return mean + deviation * u * factor;
    }
  }

  /**
   * A random number from Beta(alpha, alpha), alpha > 0, from Student's t (Bailey 1994, "Polar generation of random
   * variates with the t-distribution", https://doi.org/10.2307/2153537): such a number is (1 + t / sqrt(n + t^2)) / 2,
   * t of n = 2 alpha degrees of freedom.
   */
  symmetricBeta(alpha: number): number {
    for (;;) {
      const u = this.uniform(-1, 1);
      const v = this.uniform(-1, 1);
      const s = u * u + v * v;
      if (s >= 1 || u === 0) continue;
      const r = exp(log(s) / alpha);
      const spread = (u * u * (1 - r)) / s;
      // t^2 / (n + t^2) without dividing by r, which is 0 for a small alpha.
      return (1 + Math.sign(u) * Math.sqrt(spread / (r + spread))) / 2;
    }
  }

  /** The numbers 0 to count - 1 in random order (Fisher and Yates). */
  permutation(count: number): Uint32Array {
    const order = Uint32Array.from({ length: count }, (_, i) => i);
    for (let i = count - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const kept = order[i];
      order[i] = order[j];
      order[j] = kept;
    }
    return order;
  }
}
