/** Expressions of one or two numbers, with what they are by WGSL's rules, computed in plain TypeScript. */
import { bits } from './run-shader.ts';

/** An expression of `a` and `b`, which have the type. */
export interface Operator {
  of: 'u32' | 'i32' | 'f32';
  /** Of what type `text` is; of `of` without. */
  to?: 'u32' | 'i32' | 'f32' | 'bool';
  text: string;
  expected(a: number, b: number): number | boolean;
  /** Why devices may differ in some of its results: only the CPU's are compared with what is expected. */
  open?: string;
}

const MIN = -(2 ** 31);
const MAX = 2 ** 31 - 1;

/** Awkward numbers of each type. */
const OPERANDS: Readonly<Record<Operator['of'], readonly number[]>> = {
  u32: [0, 1, 2, 3, 7, 31, 32, 33, 255, 65535, 0x55555555, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 2, 2 ** 32 - 1],
  i32: [0, 1, -1, 2, -2, 7, -7, 31, 32, 33, 65535, -65536, MAX - 1, MAX, MIN, MIN + 1],
  f32: [
    0,
    -0,
    1,
    -1,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    3,
    1e-30,
    1e10,
    -1e10,
    3.4e38,
    2 ** 31,
    2 ** 32,
    16777217,
  ].map(Math.fround),
};

const EXACT: readonly Operator[] = (['u32', 'i32'] as const).flatMap((of): Operator[] => {
  const isSigned = of === 'i32';
  return [
    { of, text: 'a + b', expected: (a, b) => a + b },
    { of, text: 'a - b', expected: (a, b) => a - b },
    { of, text: 'a * b', expected: Math.imul },
    { of, text: 'a / b', expected: (a, b) => (b === 0 || (a === MIN && b === -1) ? a : Math.trunc(a / b)) },
    { of, text: 'a % b', expected: (a, b) => (b === 0 || (a === MIN && b === -1) ? 0 : a % b) },
    { of, text: 'a & b', expected: (a, b) => a & b },
    { of, text: 'a | b', expected: (a, b) => a | b },
    { of, text: 'a ^ b', expected: (a, b) => a ^ b },
    { of, text: 'a << u32(b)', expected: (a, b) => a << b },
    { of, text: 'a >> u32(b)', expected: (a, b) => (isSigned ? a >> b : a >>> b) },
    { of, text: '~a', expected: (a) => ~a },
    { of, text: 'min(a, b)', expected: Math.min },
    { of, text: 'max(a, b)', expected: Math.max },
    { of, text: 'clamp(a, 2, 33)', expected: (a) => Math.min(Math.max(a, 2), 33) },
    { of, text: 'abs(a)', expected: Math.abs },
    {
      of,
      text: 'countOneBits(a)',
      expected: (a) => [...(a >>> 0).toString(2)].filter((bit) => bit === '1').length,
    },
    { of, text: 'countLeadingZeros(a)', expected: Math.clz32 },
    { of, text: 'countTrailingZeros(a)', expected: (a) => (a === 0 ? 32 : 31 - Math.clz32(a & -a)) },
    { of, text: 'select(a, b, a > b)', expected: Math.min },
    { of, to: 'f32', text: 'f32(a)', expected: Math.fround },
    { of, to: 'bool', text: 'bool(a)', expected: (a) => a !== 0 },
    { of, to: isSigned ? 'u32' : 'i32', text: isSigned ? 'u32(a)' : 'i32(a)', expected: (a) => a },
    { of, to: 'u32', text: 'bitcast<u32>(a)', expected: (a) => a },
    {
      of,
      to: 'f32',
      text: 'bitcast<f32>(a)',
      expected: floatOf,
      open: 'subnormal numbers, and the bits of a NaN',
    },
    // What ranges of unsigned numbers might be wrong about.
    { of, text: '(a + 1) + 2', expected: (a) => a + 3 },
    { of, text: '(a & 7) * 4 + 3', expected: (a) => (a & 7) * 4 + 3 },
    { of, text: '(a - 1) * 2 + 2', expected: (a) => Math.imul(a, 2) },
    { of, to: 'bool', text: '(a & 7) < 8', expected: () => true },
    { of, to: 'bool', text: 'a - 1 < a', expected: (a) => (isSigned ? ((a - 1) | 0) < a : a > 0) },
    { of, to: 'bool', text: 'a + 1 > a', expected: (a) => (isSigned ? a < MAX : a < 2 ** 32 - 1) },
  ];
});

const COMPARISONS = (['u32', 'i32', 'f32'] as const).flatMap((of): Operator[] => [
  { of, to: 'bool', text: 'a == b', expected: (a, b) => a === b },
  { of, to: 'bool', text: 'a != b', expected: (a, b) => a !== b },
  { of, to: 'bool', text: 'a < b', expected: (a, b) => a < b },
  { of, to: 'bool', text: 'a <= b', expected: (a, b) => a <= b },
  { of, to: 'bool', text: 'a > b', expected: (a, b) => a > b },
  { of, to: 'bool', text: 'a >= b', expected: (a, b) => a >= b },
  { of, to: 'bool', text: '(!(a < b) && (a != b)) || a == b', expected: (a, b) => a >= b },
]);

const clamped = (low: number, high: number) => (a: number) => Math.min(high, Math.max(low, Math.trunc(a)));
const subnormal = 'it may be taken for zero';
/** WGSL leaves larger ones open. */
const angle = (a: number) => Math.min(Math.max(a, -1e6), 1e6);
const accuracy = 'devices round differently';
const root = (a: number) => Math.fround(Math.sqrt(Math.abs(a)));

const FLOATS: readonly Operator[] = [
  { of: 'f32', text: 'a + b', expected: (a, b) => a + b },
  { of: 'f32', text: 'a - b', expected: (a, b) => a - b },
  { of: 'f32', text: 'a * b', expected: (a, b) => a * b, open: subnormal },
  {
    of: 'f32',
    text: 'a / b',
    expected: (a, b) => a / b,
    open: 'a quotient may be off by 2.5 units in the last place',
  },
  { of: 'f32', text: '-a', expected: (a) => -a },
  { of: 'f32', text: 'abs(a)', expected: Math.abs },
  { of: 'f32', text: 'sign(a)', expected: (a) => Number(a > 0) - Number(a < 0), open: 'the sign of zero' },
  { of: 'f32', text: 'floor(a)', expected: Math.floor },
  { of: 'f32', text: 'ceil(a)', expected: Math.ceil },
  { of: 'f32', text: 'trunc(a)', expected: Math.trunc },
  { of: 'f32', text: 'round(a)', expected: roundedToEven },
  { of: 'f32', text: 'fract(a)', expected: (a) => a - Math.floor(a) },
  { of: 'f32', text: 'select(0.0, a, b > 0.0)', expected: (a, b) => (b > 0 ? a : 0) },
  { of: 'f32', text: 'min(a, b)', expected: Math.min, open: 'the sign of zero' },
  { of: 'f32', text: 'max(a, b)', expected: Math.max, open: 'the sign of zero' },
  {
    of: 'f32',
    text: 'sqrt(abs(a))',
    expected: (a) => Math.sqrt(Math.abs(a)),
    open: 'the last bits of a root',
  },
  { of: 'f32', text: 'saturate(a)', expected: (a) => Math.min(Math.max(a, 0), 1), open: 'the sign of zero' },
  { of: 'f32', to: 'i32', text: 'i32(a)', expected: clamped(MIN, MAX), open: 'how it is clamped' },
  { of: 'f32', to: 'u32', text: 'u32(a)', expected: clamped(0, 2 ** 32 - 1), open: 'how it is clamped' },
  { of: 'f32', to: 'bool', text: 'bool(a)', expected: (a) => a !== 0 },
  { of: 'f32', text: 'inverseSqrt(abs(a))', expected: (a) => 1 / root(a), open: accuracy },
  { of: 'f32', text: 'exp(a)', expected: Math.exp, open: accuracy },
  { of: 'f32', text: 'exp2(a)', expected: (a) => 2 ** a, open: accuracy },
  { of: 'f32', text: 'log(abs(a))', expected: (a) => Math.log(Math.abs(a)), open: accuracy },
  {
    of: 'f32',
    text: 'log2(abs(a))',
    expected: (a) => Math.fround(Math.log(Math.abs(a))) / Math.fround(Math.LN2),
    open: accuracy,
  },
  { of: 'f32', text: 'pow(abs(a), b)', expected: (a, b) => Math.abs(a) ** b, open: accuracy },
  { of: 'f32', text: 'sin(clamp(a, -1e6, 1e6))', expected: (a) => Math.sin(angle(a)), open: accuracy },
  { of: 'f32', text: 'cos(clamp(a, -1e6, 1e6))', expected: (a) => Math.cos(angle(a)), open: accuracy },
  { of: 'f32', text: 'tanh(a)', expected: Math.tanh, open: accuracy },
  { of: 'f32', text: 'fma(a, b, a)', expected: (a, b) => Math.fround(a * b) + a, open: accuracy },
  {
    of: 'f32',
    text: 'mix(a, b, 0.25)',
    expected: (a, b) => Math.fround(a * 0.75) + Math.fround(b * 0.25),
    open: accuracy,
  },
  { of: 'f32', to: 'u32', text: 'bitcast<u32>(a)', expected: bits },
  { of: 'f32', to: 'i32', text: 'bitcast<i32>(a)', expected: bits },
];

function roundedToEven(a: number): number {
  const size = Math.abs(a);
  // Beyond, all numbers are whole.
  if (!(size < 2 ** 23)) return a;
  const rounded = size % 1 === 0.5 ? 2 * Math.round(size / 2) : Math.round(size);
  return a < 0 || Object.is(a, -0) ? -rounded : rounded;
}

function floatOf(word: number): number {
  return new Float32Array(Uint32Array.of(word).buffer)[0];
}

export const OPERATORS: readonly Operator[] = [...EXACT, ...COMPARISONS, ...FLOATS];

/** Every pair of a type's awkward numbers. */
export const pairsOf = (of: Operator['of']): [number, number][] =>
  OPERANDS[of].flatMap((a) => OPERANDS[of].map((b): [number, number] => [a, b]));

/** A number of the type as a word. */
export function wordOf(type: Operator['of'] | 'bool', value: number | boolean): number {
  return type === 'f32' ? bits(Number(value)) : Number(value) >>> 0;
}

const stored = ({ of, to = of, text }: Operator) =>
  to === 'bool' ? `u32(${text})` : to === 'u32' ? text : `bitcast<u32>(${text})`;

/** A shader in which each invocation computes all operators of a type for a pair of numbers from a buffer. */
export function shaderOf(operators: readonly Operator[]): string {
  const [{ of }] = operators;
  return `
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(0) @binding(1) var<storage, read> input: array<vec2u>;
@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3u) {
  let a = bitcast<${of}>(input[group.x].x);
  let b = bitcast<${of}>(input[group.x].y);
${operators.map((one, i) => `  out[group.x * ${operators.length} + ${i}] = ${stored(one)};`).join('\n')}
}`;
}

/** The same for pairs of numbers that stand in the shader: values that the compiler folds, or constants. */
export function foldedShaderOf(
  operators: readonly Operator[],
  pairs: readonly (readonly [number, number])[],
  declaration: 'let' | 'const' = 'let',
): string {
  const [{ of }] = operators;
  const bodies = pairs.map(
    ([a, b], k) => `  {
    ${declaration} a = bitcast<${of}>(${wordOf(of, a)}u);
    ${declaration} b = bitcast<${of}>(${wordOf(of, b)}u);
${operators.map((one, i) => `    out[${k * operators.length + i}] = ${stored(one)};`).join('\n')}
  }`,
  );
  return `
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(1)
fn main() {
${bodies.join('\n')}
}`;
}
