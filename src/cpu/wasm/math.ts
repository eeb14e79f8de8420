/**
 * What WGSL has and WebAssembly has not: exp, log, sin, cos, tanh, pow of float32. They are computed in float64 by + - * /
 * alone, which WebAssembly fixes to the bit; those of JavaScript's Math differ in last bits from browser to browser.
 */
import {
  ANY,
  f32,
  f64,
  get,
  i32,
  op,
  select,
  type Local,
  type MathFunction,
  type WasmNode,
} from './nodes.ts';
import type { Statement } from './statements.ts';

export interface MathBody {
  parameters: readonly Local[];
  body: readonly Statement[];
  result: WasmNode;
}

/** Keeps a value that is used more than once. */
type Once = (value: WasmNode) => WasmNode;

const add = (a: WasmNode, b: WasmNode) => op('f64.add', a, b);
const sub = (a: WasmNode, b: WasmNode) => op('f64.sub', a, b);
const mul = (a: WasmNode, b: WasmNode) => op('f64.mul', a, b);
const div = (a: WasmNode, b: WasmNode) => op('f64.div', a, b);
const double = (x: WasmNode) => op('f64.promote_f32', x);
const single = (x: WasmNode) => op('f32.demote_f64', x);

/** In two parts: whole multiples of the first one are exact. */
const LN2 = [0.693147180369123816, 1.90821492927058770002e-10];
const HALF_PI = [1.57079632673412561417, 6.07710050650619224932e-11];

/** x - k (high + low). */
const reduced = (x: WasmNode, k: WasmNode, [high, low]: readonly number[]) =>
  sub(sub(x, mul(k, f64(high))), mul(k, f64(low)));

/** c0 + c1 x + c2 x^2 + ... */
const polynomial = (x: WasmNode, coefficients: readonly number[]) =>
  coefficients.reduceRight<WasmNode>((sum, c) => add(mul(sum, x), f64(c)), f64(0));

/** The sum's terms x^n / n!, with every second one left out and signs in turn if `by` is 2. */
function inverseFactorials(from: number, to: number, by: 1 | 2): number[] {
  const all: number[] = [1];
  for (let n = 1; n <= to; n++) all.push(all[n - 1] / n);
  return all
    .filter((_, n) => n >= from && (n - from) % by === 0)
    .map((c, i) => (by === 2 && i % 2 === 1 ? -c : c));
}

/** 2^n, |n| < 127, by its bits. */
const powerOfTwo = (n: WasmNode) =>
  double(op('f32.reinterpret_i32', op('i32.shl', op('i32.add', n, i32(127)), i32(23))));

/** e^x of a float64; beyond what float32 has, something that rounds to 0 or Infinity. */
function exp(x: WasmNode, once: Once): WasmNode {
  const inside = once(op('f64.max', op('f64.min', x, f64(128)), f64(-128)));
  const k = once(op('f64.nearest', mul(inside, f64(Math.LOG2E))));
  const n = once(op('i32.trunc_sat_f64_s', k));
  const half = once(op('i32.shr_s', n, i32(1)));
  const sum = polynomial(once(reduced(inside, k, LN2)), inverseFactorials(0, 14, 1));
  return mul(mul(sum, powerOfTwo(half)), powerOfTwo(op('i32.sub', n, half)));
}

/** The logarithm of a float32 as a float64: of 0 -Infinity, of less NaN. */
function log(x: WasmNode, once: Once): WasmNode {
  const isSubnormal = once(op('f32.lt', x, f32(2 ** -126)));
  const normal = once(select(op('f32.mul', x, f32(2 ** 24)), x, isSubnormal));
  const bits = once(op('i32.reinterpret_f32', normal));
  // x = m 2^k, m from sqrt(1/2) to sqrt(2).
  const k = once(op('i32.shr_s', op('i32.sub', bits, op('i32.reinterpret_f32', f32(Math.SQRT1_2))), i32(23)));
  const m = once(double(op('f32.reinterpret_i32', op('i32.sub', bits, op('i32.shl', k, i32(23))))));
  const s = once(div(sub(m, f64(1)), add(m, f64(1))));
  const artanh = mul(
    s,
    polynomial(
      once(mul(s, s)),
      Array.from({ length: 11 }, (_, i) => 2 / (2 * i + 1)),
    ),
  );
  const exponent = op('f64.convert_i32_s', op('i32.sub', k, select(i32(24), i32(0), isSubnormal)));
  const value = add(mul(exponent, f64(Math.LN2)), artanh);
  const isInside = op('i32.and', op('f32.gt', x, f32(0)), op('f32.lt', x, f32(Infinity)));
  const atZero = select(f64(-Infinity), f64(NaN), op('f32.eq', x, f32(0)));
  // Infinity and NaN are their own.
  const outside = select(atZero, double(x), op('f32.le', x, f32(0)));
  return select(value, outside, isInside);
}

/** The sine of x + quarters pi / 2. WGSL leaves large angles open: beyond 2^30 it is that of 2^30. */
function sine(angle: WasmNode, quarters: number, once: Once): WasmNode {
  const x = once(op('f64.max', op('f64.min', angle, f64(2 ** 30)), f64(-(2 ** 30))));
  // Plus 0, so that k is not -0 and the sine of -0 is itself.
  const k = once(add(op('f64.nearest', div(x, f64(Math.PI / 2))), f64(0)));
  const r = once(reduced(x, k, HALF_PI));
  const square = once(mul(r, r));
  const quadrant = once(op('i32.add', op('i32.trunc_sat_f64_s', k), i32(quarters)));
  const isOdd = op('i32.and', quadrant, i32(1));
  const size = once(
    select(
      polynomial(square, inverseFactorials(0, 18, 2)),
      mul(r, polynomial(square, inverseFactorials(1, 19, 2))),
      isOdd,
    ),
  );
  return select(sub(f64(0), size), size, op('i32.and', quadrant, i32(2)));
}

/** Odd, and within rounding x itself where it is small. */
function tanh(x: WasmNode, once: Once): WasmNode {
  const size = op('f32.abs', x);
  const e = once(exp(mul(double(size), f64(-2)), once));
  const value = single(div(sub(f64(1), e), add(f64(1), e)));
  return select(x, op('f32.copysign', value, x), op('f32.lt', size, f32(1e-4)));
}

const BODIES: Readonly<Record<MathFunction, (once: Once, a: WasmNode, b: WasmNode) => WasmNode>> = {
  exp: (once, a) => single(exp(double(a), once)),
  log: (once, a) => single(log(a, once)),
  sin: (once, a) => single(sine(double(a), 0, once)),
  cos: (once, a) => single(sine(double(a), 1, once)),
  tanh: (once, a) => tanh(a, once),
  pow: (once, a, b) =>
    select(f32(1), single(exp(mul(double(b), log(a, once)), once)), op('f32.eq', b, f32(0))),
};

/** How many operands a function takes. */
export const operandsOf = (name: MathFunction): number => (name === 'pow' ? 2 : 1);

/** A function of float32 that returns one. */
export function mathBody(name: MathFunction): MathBody {
  const parameters = Array.from({ length: operandsOf(name) }, (): Local => ({ type: 'f32', range: ANY }));
  const body: Statement[] = [];
  const once: Once = (value) => {
    const local: Local = { type: value.type, range: ANY };
    body.push({ kind: 'set', local, value });
    return get(local);
  };
  const [a, b = a] = parameters.map(get);
  return { parameters, result: BODIES[name](once, a, b), body };
}
