/** The values of constant expressions, and what WGSL computes with them (https://www.w3.org/TR/WGSL/#const-expr). */
import type { Scalar } from './types.ts';

/** Whole numbers are bigints; a vector, an array or a struct is an array. */
export type ConstantValue = bigint | number | boolean | readonly ConstantValue[];

/** A scalar. */
export type ConstantScalar = bigint | number | boolean;

/** What WGSL refuses to compute. The place is added where it is known. */
export class NotComputable extends Error {}

const LARGEST_F32 = 3.4028234663852886e38;

/** Whether a type has the number, possibly rounded. */
export function fits(value: ConstantScalar, of: Scalar): boolean {
  switch (of) {
    case 'int':
      return BigInt.asIntN(64, value as bigint) === value;
    case 'i32':
      return BigInt.asIntN(32, value as bigint) === value;
    case 'u32':
      return BigInt.asUintN(32, value as bigint) === value;
    case 'f32':
      return Math.abs(value as number) <= LARGEST_F32;
    case 'float':
      return Number.isFinite(value);
    case 'bool':
      return true;
  }
}

/** The number as a type has it. @throws NotComputable if it does not */
export function rounded(value: ConstantScalar, of: Scalar): ConstantScalar {
  if (!fits(value, of)) throw new NotComputable(`${String(value)} does not fit into ${of}`);
  return of === 'f32' ? Math.fround(value as number) : value;
}

/** Each scalar of a value. */
export function mapped(value: ConstantValue, change: (one: ConstantScalar) => ConstantScalar): ConstantValue {
  return isList(value) ? value.map((one) => mapped(one, change)) : change(value);
}

export const isList = (value: ConstantValue): value is readonly ConstantValue[] => Array.isArray(value);

/** The constant's parts: of a scalar, itself. */
export const partsOf = (constant: ConstantValue): readonly ConstantValue[] =>
  isList(constant) ? constant : [constant];

/** A constant without a type as one: only what loses nothing but digits. */
export const implicitly =
  (to: Scalar) =>
  (value: ConstantScalar): ConstantScalar =>
    rounded(typeof value === 'bigint' && (to === 'f32' || to === 'float') ? Number(value) : value, to);

/** `f32(x)`, `i32(x)` and the like. */
export const explicitly =
  (from: Scalar, to: Scalar) =>
  (value: ConstantScalar): ConstantScalar => {
    if (to === 'bool') return Boolean(value);
    if (from === 'bool') return to === 'f32' ? Number(value) : BigInt(value as boolean);
    if (to === 'f32' || from === 'int') return implicitly(to)(value);
    if (from === 'float' || from === 'f32') {
      const [least, most] = to === 'i32' ? [-(2 ** 31), 2 ** 31 - 1] : [0, 2 ** 32 - 1];
      return BigInt(Math.trunc(Math.min(Math.max(value as number, least), most)));
    }
    return wrapped(value as bigint, to);
  };

/** Modulo 2^32. Numbers without a type stay. */
const wrapped = (value: bigint, of: Scalar): bigint =>
  of === 'i32' ? BigInt.asIntN(32, value) : of === 'u32' ? BigInt.asUintN(32, value) : value;

/** Integers of a type wrap; everything else must fit. */
export const settled = (value: ConstantScalar, of: Scalar): ConstantScalar =>
  rounded(typeof value === 'bigint' ? wrapped(value, of) : value, of);

const COMPARISONS: Readonly<Record<string, (a: ConstantScalar, b: ConstantScalar) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
};

const FLAGS: Readonly<Record<string, (a: boolean, b: boolean) => boolean>> = {
  '&&': (a, b) => a && b,
  '||': (a, b) => a || b,
  '&': (a, b) => a && b,
  '|': (a, b) => a || b,
};

const FLOATS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

const INTEGERS: Readonly<Record<string, (a: bigint, b: bigint, of: Scalar) => bigint>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b, of) => rounded(a / b, of) as bigint,
  '%': (a, b) => a % b,
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '<<': (a, b, of) => {
    const made = a << b;
    const fitting = wrapped(made, of);
    if (made === fitting) return made;
    // A negative number may lose what are only more bits of its sign.
    throw new NotComputable(`${a} << ${b} does not fit into ${of === 'int' ? 'an integer' : of}`);
  },
  '>>': (a, b) => a >> b,
};

/** Of two scalars of a type. @throws NotComputable */
export function binaryConstant(
  operator: string,
  of: Scalar,
  a: ConstantScalar,
  b: ConstantScalar,
): ConstantScalar {
  const compare = COMPARISONS[operator];
  if (compare) return compare(a, b);
  if (typeof a === 'boolean') return FLAGS[operator](a, b as boolean);
  if (typeof a === 'number') return settled(FLOATS[operator](a, b as number), of);
  return settled(INTEGERS[operator](a, b as bigint, of), of);
}

export function unaryConstant(operator: string, of: Scalar, value: ConstantScalar): ConstantScalar {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return -value;
  return settled(operator === '-' ? -value : ~value, of);
}

const whole =
  (make: (bits: number) => number) =>
  ([x]: readonly ConstantScalar[], of: Scalar): bigint =>
    wrapped(BigInt(make(Number(BigInt.asUintN(32, x as bigint)))), of);

const float =
  (make: (...x: number[]) => number, when: (...x: number[]) => boolean = () => true) =>
  (x: readonly ConstantScalar[]): number => {
    if (!when(...(x as number[]))) throw new NotComputable('a function outside of what it is defined for');
    return make(...(x as number[]));
  };

const smaller = (a: ConstantScalar, b: ConstantScalar) =>
  typeof a === 'number' ? Math.min(a, b as number) : b < a ? b : a;
const larger = (a: ConstantScalar, b: ConstantScalar) =>
  typeof a === 'number' ? Math.max(a, b as number) : a < b ? b : a;

/** To the nearest whole number, and to the even one of two; zero keeps the sign. */
function nearest(x: number): number {
  const down = Math.floor(x);
  if (x - down !== 0.5) return Math.round(x);
  return down % 2 === 0 ? down : Math.ceil(x);
}

/** Built-in functions of scalars, and of vectors component by component. */
export const FUNCTIONS: Readonly<
  Record<string, (args: readonly ConstantScalar[], of: Scalar) => ConstantScalar>
> = {
  abs: ([x]) => (typeof x === 'number' ? Math.abs(x) : (x as bigint) < 0n ? -x : x),
  min: ([a, b]) => smaller(a, b),
  max: ([a, b]) => larger(a, b),
  clamp: ([x, low, high]) => smaller(larger(x, low), high),
  // Of either zero, +0.
  sign: float((x) => (x > 0 ? 1 : x < 0 ? -1 : 0)),
  saturate: float((x) => Math.min(Math.max(x, 0), 1)),
  sqrt: float(Math.sqrt, (x) => x >= 0),
  inverseSqrt([x], of) {
    if (!((x as number) > 0)) throw new NotComputable('a function outside of what it is defined for');
    return binaryConstant('/', of, 1, rounded(Math.sqrt(x as number), of));
  },
  floor: float(Math.floor),
  ceil: float(Math.ceil),
  trunc: float(Math.trunc),
  round: float(nearest),
  fract: float((x) => x - Math.floor(x)),
  exp: float(Math.exp),
  exp2: float((x) => 2 ** x),
  log: float(Math.log, (x) => x > 0),
  log2: float(Math.log2, (x) => x > 0),
  pow: float((x, y) => x ** y),
  sin: float(Math.sin),
  cos: float(Math.cos),
  tanh: float(Math.tanh),
  fma: (args, of) => binaryConstant('+', of, binaryConstant('*', of, args[0], args[1]), args[2]),
  mix: ([a, b, t], of) => {
    const rest = binaryConstant('-', of, 1, t);
    return binaryConstant('+', of, binaryConstant('*', of, a, rest), binaryConstant('*', of, b, t));
  },
  countOneBits: whole((x) => [...x.toString(2)].filter((digit) => digit === '1').length),
  countLeadingZeros: whole(Math.clz32),
  countTrailingZeros: whole((x) => (x === 0 ? 32 : 31 - Math.clz32(x & -x))),
};

/** Functions whose last bits differ between machines: the kernel computes them. */
export const INEXACT: ReadonlySet<string> = new Set([
  'exp',
  'exp2',
  'log',
  'log2',
  'pow',
  'sin',
  'cos',
  'tanh',
]);

const word = new DataView(new ArrayBuffer(4));

/** The bits of a scalar as another type. */
export function bitsAs(value: ConstantScalar, from: Scalar, to: Scalar): ConstantScalar {
  if (from === 'f32') word.setFloat32(0, value as number);
  else word.setUint32(0, Number(BigInt.asUintN(32, value as bigint)));
  if (to === 'f32') return rounded(word.getFloat32(0), to);
  return BigInt(to === 'i32' ? word.getInt32(0) : word.getUint32(0));
}

/** A number of 16 bits (IEEE 754 binary16). */
export function halfNumber(bits: number): ConstantScalar {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size =
    exponent === 0
      ? fraction * 2 ** -24
      : exponent === 31
        ? fraction === 0
          ? Infinity
          : NaN
        : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return rounded(bits & 0x8000 ? -size : size, 'f32');
}
