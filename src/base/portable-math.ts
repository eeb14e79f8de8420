/**
 * Functions whose last bits JavaScript leaves to each browser (Math.log, Math.cos, Math.hypot, **), by + - * / alone, which IEEE 754
 * fixes. Whatever reaches weights, images or the learning rate takes these, so that a seed gives the same bits everywhere.
 */

/** ln 2 in two parts: whole multiples of the first one are exact. */
const LN2 = [0.693147180369123816, 1.90821492927058770002e-10] as const;
/** PI is this much above Math.PI. */
const BEYOND_PI = 1.2246467991473532e-16;

/** 2 / 21, 2 / 19, ..., 2: of the series of 2 artanh(s). */
const ARTANH = Float64Array.from({ length: 11 }, (_, i) => 2 / (21 - 2 * i));

/** The natural logarithm of a finite number above 0. */
export function log(x: number): number {
  let [m, k] = [x, 0];
  for (; m < Math.SQRT1_2; k--) m *= 2;
  for (; m > Math.SQRT2; k++) m /= 2;
  const s = (m - 1) / (m + 1);
  const square = s * s;
  let sum = 0;
  // Networks draw millions of weights: `for of` takes twice as long.
  for (let i = 0; i < ARTANH.length; i++) sum = sum * square + ARTANH[i];
  return k * LN2[0] + (s * sum + k * LN2[1]);
}

/** Of an angle from 0 to pi. */
export function cos(x: number): number {
  if (x > Math.PI / 2) return -cos(Math.PI - x + BEYOND_PI);
  let sum = 1;
  for (let n = 24; n > 0; n -= 2) sum = 1 - (x * x * sum) / (n * (n - 1));
  return sum;
}

/** x to the power of a whole number from 0. */
export function power(x: number, n: number): number {
  let product = 1;
  for (let [square, rest] = [x, n]; rest > 0; rest = Math.floor(rest / 2), square *= square)
    if (rest % 2 === 1) product *= square;
  return product;
}

/** e^x for x up to 0. */
export function exp(x: number): number {
  let sum = 1;
  for (let n = 20; n > 0; n--) sum = 1 + ((x / 1024) * sum) / n;
  return x < -745 ? 0 : power(sum, 1024);
}

/** sqrt(1 + t^2), rounded as V8 rounds Math.hypot(1, t). */
export function hypot1(t: number): number {
  const most = Math.max(1, Math.abs(t));
  return Math.sqrt((1 / most) * (1 / most) + (t / most) * (t / most)) * most;
}
