/** WGSL's built-in functions of numbers (https://www.w3.org/TR/WGSL/#builtin-functions). */
import { f32, i32, math, op, select, type WasmNode } from '../wasm/nodes.ts';
import { isQuad, scalar, type Scalar, type Type } from '../wgsl/types.ts';
import {
  binary,
  choose,
  components,
  fromComponents,
  matched,
  scalarOf,
  type Once,
  type Value,
} from './values.ts';

/** A function of each component, by the type of its scalars. */
type Each = (of: Scalar, once: Once, ...args: WasmNode[]) => WasmNode;

const float =
  (make: (once: Once, ...args: WasmNode[]) => WasmNode): Each =>
  (_, once, ...args) =>
    make(once, ...args);

const less = (of: Scalar, a: WasmNode, b: WasmNode): WasmNode =>
  op(of === 'f32' ? 'f32.lt' : of === 'i32' ? 'i32.lt_s' : 'i32.lt_u', a, b);

const smaller: Each = (of, once, a, b) => {
  if (of === 'f32') return op('f32.min', a, b);
  const [x, y] = [once(a), once(b)];
  return select(x, y, less(of, x, y));
};

const larger: Each = (of, once, a, b) => {
  if (of === 'f32') return op('f32.max', a, b);
  const [x, y] = [once(a), once(b)];
  return select(y, x, less(of, x, y));
};

const EACH: Readonly<Record<string, Each>> = {
  abs(of, once, a) {
    if (of === 'f32') return op('f32.abs', a);
    if (of === 'u32') return a;
    const x = once(a);
    return select(op('i32.sub', i32(0), x), x, less(of, x, i32(0)));
  },
  min: smaller,
  max: larger,
  clamp: (of, once, a, low, high) => smaller(of, once, larger(of, once, a, low), high),
  saturate: float((_, a) => op('f32.min', op('f32.max', a, f32(0)), f32(1))),
  sqrt: float((_, a) => op('f32.sqrt', a)),
  inverseSqrt: float((_, a) => op('f32.div', f32(1), op('f32.sqrt', a))),
  floor: float((_, a) => op('f32.floor', a)),
  ceil: float((_, a) => op('f32.ceil', a)),
  trunc: float((_, a) => op('f32.trunc', a)),
  round: float((_, a) => op('f32.nearest', a)),
  fract: float((once, a) => {
    const x = once(a);
    return op('f32.sub', x, op('f32.floor', x));
  }),
  exp: float((_, a) => math('exp', a)),
  exp2: float((_, a) => math('pow', f32(2), a)),
  log: float((_, a) => math('log', a)),
  log2: float((_, a) => op('f32.div', math('log', a), math('log', f32(2)))),
  pow: float((_, a, b) => math('pow', a, b)),
  sin: float((_, a) => math('sin', a)),
  cos: float((_, a) => math('cos', a)),
  tanh: float((_, a) => math('tanh', a)),
  sign: float((once, a) => {
    const x = once(a);
    const positive = select(f32(1), f32(0), op('f32.gt', x, f32(0)));
    return select(f32(-1), positive, op('f32.lt', x, f32(0)));
  }),
  fma: float((_, a, b, c) => op('f32.add', op('f32.mul', a, b), c)),
  mix: float((once, a, b, t) => {
    const x = once(t);
    return op('f32.add', op('f32.mul', a, op('f32.sub', f32(1), x)), op('f32.mul', b, x));
  }),
  countOneBits: (_of, _once, a) => op('i32.popcnt', a),
  countLeadingZeros: (_of, _once, a) => op('i32.clz', a),
  countTrailingZeros: (_of, _once, a) => op('i32.ctz', a),
};

/** Functions that are one instruction for four floats. */
const QUADS = { abs: 'f32x4.abs', min: 'f32x4.min', max: 'f32x4.max', sqrt: 'f32x4.sqrt' } as const;

const isBuiltin = (name: string): boolean =>
  Object.hasOwn(EACH, name) || /^(select|dot|all|any|unpack2x16float)$/.test(name);

/** The value of a call; undefined if there is no such function. */
export function builtin(name: string, args: readonly Value[], once: Once): Value | undefined {
  if (!isBuiltin(name)) return undefined;
  switch (name) {
    case 'select':
      return choose(args[0], args[1], args[2], once);
    case 'dot':
      return dot(args[0], args[1], once);
    case 'all':
    case 'any':
      return {
        type: scalar('bool'),
        leaves: [args[0].leaves.reduce((a, b) => op(name === 'all' ? 'i32.and' : 'i32.or', a, b))],
      };
    case 'unpack2x16float':
      return unpackHalves(once(args[0].leaves[0]), once);
  }
  const each = EACH[name];
  // The third argument of "mix" may be one number.
  const given = args.map((arg) => matched(arg, args[0], once)[0]);
  const [{ type }] = given;
  const kind = scalarOf(type);
  if (isQuad(type) && name in QUADS) {
    const quad = op(QUADS[name as keyof typeof QUADS], ...given.map(({ leaves }) => leaves[0]));
    return { type, leaves: [quad] };
  }
  const parts = given.map((value) =>
    components(isQuad(type) ? { type, leaves: value.leaves.map(once) } : value),
  );
  return fromComponents(
    type,
    parts[0].map((_, i) => each(kind, once, ...parts.map((part) => part[i]))),
  );
}

/** The sum of products, in order. */
function dot(a: Value, b: Value, once: Once): Value {
  const product = binary('*', a, b, once);
  const parts = components({ type: product.type, leaves: product.leaves.map(once) });
  const kind = scalarOf(product.type);
  return {
    type: scalar(kind),
    leaves: [parts.reduce((sum, part) => op(kind === 'f32' ? 'f32.add' : 'i32.add', sum, part))],
  };
}

/** Two numbers of 16 bits (IEEE 754 binary16) in a word. */
function unpackHalves(word: WasmNode, once: Once): Value {
  const halves = [op('i32.and', word, i32(0xffff)), op('i32.shr_u', word, i32(16))].map((half) => {
    const bits = once(half);
    const magnitude = once(op('i32.and', bits, i32(0x7fff)));
    const sign = op('i32.shl', op('i32.and', bits, i32(0x8000)), i32(16));
    // Exponent and fraction in their new places, times 2^112: the difference of the biases. Subnormals come out right.
    const shifted = op('f32.reinterpret_i32', op('i32.shl', magnitude, i32(13)));
    const finite = op('i32.reinterpret_f32', op('f32.mul', shifted, f32(2 ** 112)));
    const special = op('i32.or', op('i32.shl', magnitude, i32(13)), i32(0x7f800000));
    const rest = select(special, finite, op('i32.ge_u', magnitude, i32(0x7c00)));
    return op('f32.reinterpret_i32', op('i32.or', rest, sign));
  });
  const type: Type = { kind: 'vector', size: 2, scalar: 'f32' };
  return { type, leaves: halves };
}
