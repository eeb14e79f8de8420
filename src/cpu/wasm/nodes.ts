/**
 * Expressions of WebAssembly as trees. The functions that make them fold constants and track the ranges of unsigned
 * integers, which show that an index is within its array, or how a comparison ends.
 */
import { LANE_OPS, resultOf, type LaneOp, type PlainOp, type ValueType } from './opcodes.ts';

/** A variable of a function. */
export interface Local {
  readonly type: ValueType;
  /** The values that an i32 may have, unsigned. */
  readonly range: Range;
}

export interface Range {
  min: number;
  max: number;
}

/** Functions of float32 that math.ts computes. */
export type MathFunction = 'exp' | 'log' | 'pow' | 'sin' | 'cos' | 'tanh';

export type WasmNode = { readonly type: ValueType; readonly range: Range } & (
  | { readonly kind: 'const'; readonly value: number }
  | { readonly kind: 'vector'; readonly lanes: readonly number[] }
  | { readonly kind: 'get'; readonly local: Local }
  | { readonly kind: 'op'; readonly op: PlainOp; readonly args: readonly WasmNode[] }
  | { readonly kind: 'lane'; readonly op: LaneOp; readonly lane: number; readonly args: readonly WasmNode[] }
  /** One of four floats, four times. */
  | { readonly kind: 'broadcast'; readonly lane: number; readonly args: readonly [of: WasmNode] }
  | { readonly kind: 'select'; readonly args: readonly [yes: WasmNode, no: WasmNode, condition: WasmNode] }
  | {
      readonly kind: 'load';
      readonly args: readonly [address: WasmNode];
      readonly offset: number;
      /** Whether stores may change what it reads. */
      readonly writable: boolean;
    }
  | { readonly kind: 'math'; readonly function: MathFunction; readonly args: readonly WasmNode[] }
);

const WORDS = 2 ** 32;
export const ANY: Range = { min: 0, max: WORDS - 1 };
/** The range of a flag. */
export const FLAG: Range = { min: 0, max: 1 };

export const i32 = (value: number): WasmNode => {
  const word = value >>> 0;
  return { kind: 'const', type: 'i32', value: word, range: { min: word, max: word } };
};

export const f32 = (value: number): WasmNode => ({
  kind: 'const',
  type: 'f32',
  value: Math.fround(value),
  range: ANY,
});

export const f64 = (value: number): WasmNode => ({ kind: 'const', type: 'f64', value, range: ANY });

export function get(local: Local): WasmNode {
  const { type, range } = local;
  return range.min === range.max ? i32(range.min) : { kind: 'get', type, local, range };
}

/** The value of a scalar constant. */
export const constantOf = (node: WasmNode): number | undefined =>
  node.kind === 'const' ? node.value : undefined;

/** The operands of a node. */
export const argsOf = (node: WasmNode): readonly WasmNode[] => ('args' in node ? node.args : []);

export const load = (type: ValueType, address: WasmNode, offset: number, writable: boolean): WasmNode => ({
  kind: 'load',
  type,
  args: [address],
  offset,
  writable,
  range: ANY,
});

export const math = (name: MathFunction, ...args: WasmNode[]): WasmNode => ({
  kind: 'math',
  type: 'f32',
  function: name,
  args,
  range: ANY,
});

export function select(yes: WasmNode, no: WasmNode, condition: WasmNode): WasmNode {
  const known = constantOf(condition);
  if (known !== undefined) return known !== 0 ? yes : no;
  if (yes.type === 'i32' && constantOf(yes) === 1 && constantOf(no) === 0) return condition;
  return {
    kind: 'select',
    type: yes.type,
    args: [yes, no, condition],
    range: { min: Math.min(yes.range.min, no.range.min), max: Math.max(yes.range.max, no.range.max) },
  };
}

/** A vector of four numbers. */
export function vector(lanes: readonly WasmNode[]): WasmNode {
  const values = lanes.map(constantOf);
  if (values.every((value) => value !== undefined))
    return { kind: 'vector', type: 'v128', lanes: values, range: ANY };
  if (lanes.every((one) => isSame(one, lanes[0]))) return op('f32x4.splat', lanes[0]);
  return lanes
    .slice(1)
    .reduce<WasmNode>((sum, one, i) => replaceLane(sum, i + 1, one), op('f32x4.splat', lanes[0]));
}

const isSame = (a: WasmNode, b: WasmNode): boolean =>
  a === b ||
  (a.kind === 'get' && b.kind === 'get' && a.local === b.local) ||
  (a.kind === 'const' && b.kind === 'const' && a.type === b.type && Object.is(a.value, b.value));

export function lane(of: WasmNode, index: number): WasmNode {
  if (of.kind === 'vector') return f32(of.lanes[index]);
  if (of.kind === 'op' && of.op === 'f32x4.splat') return of.args[0];
  if (of.kind === 'broadcast') return laneOp('f32x4.extract_lane', of.lane, of.args[0]);
  return laneOp('f32x4.extract_lane', index, of);
}

export const replaceLane = (of: WasmNode, index: number, value: WasmNode): WasmNode =>
  laneOp('f32x4.replace_lane', index, of, value);

export const laneOp = (name: LaneOp, index: number, ...args: WasmNode[]): WasmNode => ({
  kind: 'lane',
  op: name,
  type: LANE_OPS[name].result,
  lane: index,
  args,
  range: ANY,
});

/** An instruction with plain operands. */
export function op(name: PlainOp, ...args: WasmNode[]): WasmNode {
  const type = resultOf(name);
  const values = args.map(constantOf);
  if (values.every((value) => value !== undefined)) {
    const value = CONSTANT[name]?.(...values);
    if (value !== undefined) return type === 'i32' ? i32(value) : f32(value);
  }
  if (name === 'f32x4.splat') {
    const [of] = args;
    if (of.kind === 'const') return vector([of, of, of, of]);
    if (of.kind === 'lane' && of.args[0].kind === 'get')
      return { kind: 'broadcast', type: 'v128', lane: of.lane, args: [of.args[0]], range: ANY };
  }
  const simpler = SIMPLER[name]?.(args[0], args[1]);
  if (simpler) return simpler;
  const range = RANGES[name]?.(args[0].range, args[1]?.range) ?? ANY;
  return { kind: 'op', op: name, type, args, range: range.max >= WORDS ? ANY : range };
}

type Fold = Partial<Record<PlainOp, (...values: number[]) => number | undefined>>;

const reinterpret = new DataView(new ArrayBuffer(4));

function bitsOf(value: number): number {
  reinterpret.setFloat32(0, value);
  return reinterpret.getUint32(0);
}

function floatOf(bits: number): number | undefined {
  reinterpret.setUint32(0, bits);
  const value = reinterpret.getFloat32(0);
  // Numbers of JavaScript do not keep the bits of a NaN.
  return Number.isNaN(value) ? undefined : value;
}

/** Operations on constants: i32 are unsigned. Division by zero is the caller's concern. */
const CONSTANT: Fold = {
  'i32.eqz': (a) => Number(a === 0),
  'i32.eq': (a, b) => Number(a === b),
  'i32.ne': (a, b) => Number(a !== b),
  'i32.lt_s': (a, b) => Number((a | 0) < (b | 0)),
  'i32.gt_s': (a, b) => Number((a | 0) > (b | 0)),
  'i32.le_s': (a, b) => Number((a | 0) <= (b | 0)),
  'i32.ge_s': (a, b) => Number((a | 0) >= (b | 0)),
  'i32.add': (a, b) => a + b,
  'i32.sub': (a, b) => a - b,
  'i32.mul': (a, b) => Math.imul(a, b),
  'i32.div_u': (a, b) => (b === 0 ? undefined : Math.floor(a / b)),
  'i32.rem_u': (a, b) => (b === 0 ? undefined : a % b),
  'i32.div_s': (a, b) => (b === 0 ? undefined : Math.trunc((a | 0) / (b | 0))),
  'i32.rem_s': (a, b) => (b === 0 ? undefined : (a | 0) % (b | 0)),
  'i32.and': (a, b) => a & b,
  'i32.or': (a, b) => a | b,
  'i32.xor': (a, b) => a ^ b,
  'i32.shl': (a, b) => a << b,
  'i32.shr_u': (a, b) => a >>> b,
  'i32.shr_s': (a, b) => (a | 0) >> b,
  'f32.eq': (a, b) => Number(a === b),
  'f32.ne': (a, b) => Number(a !== b),
  'f32.lt': (a, b) => Number(a < b),
  'f32.gt': (a, b) => Number(a > b),
  'f32.le': (a, b) => Number(a <= b),
  'f32.ge': (a, b) => Number(a >= b),
  'f32.add': (a, b) => a + b,
  'f32.sub': (a, b) => a - b,
  'f32.mul': (a, b) => a * b,
  'f32.div': (a, b) => a / b,
  'f32.neg': (a) => -a,
  'f32.abs': (a) => Math.abs(a),
  'f32.sqrt': (a) => Math.sqrt(a),
  'f32.convert_i32_u': (a) => a,
  'f32.convert_i32_s': (a) => a | 0,
  'i32.reinterpret_f32': (a) => (Number.isNaN(a) ? undefined : bitsOf(a)),
  'f32.reinterpret_i32': floatOf,
  'i32.trunc_sat_f32_u': (a) => Math.min(WORDS - 1, Math.max(0, Math.trunc(a) || 0)),
  'i32.trunc_sat_f32_s': (a) => Math.min(2 ** 31 - 1, Math.max(-(2 ** 31), Math.trunc(a) || 0)),
};

/** Exact simplifications of integers, where one operand is known or ranges decide. */
const SIMPLER: Partial<Record<PlainOp, (a: WasmNode, b: WasmNode) => WasmNode | undefined>> = {
  'i32.add'(a, b) {
    if (constantOf(a) !== undefined) return op('i32.add', b, a);
    const known = constantOf(b);
    if (known === 0) return a;
    // (x + 1) + 2 is x + 3.
    if (known !== undefined && a.kind === 'op' && a.op === 'i32.add') {
      const inner = constantOf(a.args[1]);
      if (inner !== undefined) return op('i32.add', a.args[0], i32(inner + known));
    }
    return undefined;
  },
  'i32.sub': (a, b) => (constantOf(b) === 0 ? a : undefined),
  'i32.mul'(a, b) {
    if (constantOf(a) !== undefined) return op('i32.mul', b, a);
    if (constantOf(b) === 1) return a;
    return constantOf(b) === 0 ? i32(0) : undefined;
  },
  'i32.div_u'(a, b) {
    if (constantOf(b) === 1) return a;
    return a.range.max < b.range.min ? i32(0) : undefined;
  },
  'i32.rem_u'(a, b) {
    if (constantOf(b) === 1) return i32(0);
    return a.range.max < b.range.min ? a : undefined;
  },
  'i32.and'(a, b) {
    if (constantOf(a) === 0 || constantOf(b) === 0) return i32(0);
    if (constantOf(b) === 1 && a.range.max <= 1) return a;
    return constantOf(a) === 1 && b.range.max <= 1 ? b : undefined;
  },
  'i32.or'(a, b) {
    if (constantOf(b) === 0) return a;
    return constantOf(a) === 0 ? b : undefined;
  },
  'i32.shl': (a, b) => (constantOf(b) === 0 ? a : undefined),
  'i32.shr_u': (a, b) => (constantOf(b) === 0 ? a : undefined),
  'i32.lt_u': (a, b) => compared(a.range.max < b.range.min, a.range.min >= b.range.max),
  'i32.gt_u': (a, b) => compared(a.range.min > b.range.max, a.range.max <= b.range.min),
  'i32.le_u': (a, b) => compared(a.range.max <= b.range.min, a.range.min > b.range.max),
  'i32.ge_u': (a, b) => compared(a.range.min >= b.range.max, a.range.max < b.range.min),
};

const compared = (always: boolean, never: boolean): WasmNode | undefined =>
  always ? i32(1) : never ? i32(0) : undefined;

const flag = (): Range => FLAG;

/** The range of a result; beyond ANY where it may wrap. */
const RANGES: Partial<Record<PlainOp, (a: Range, b: Range) => Range>> = {
  'i32.add': (a, b) => ({ min: a.min + b.min, max: a.max + b.max }),
  'i32.sub': (a, b) => (a.min >= b.max ? { min: a.min - b.max, max: a.max - b.min } : ANY),
  'i32.mul': (a, b) => ({ min: a.min * b.min, max: a.max * b.max }),
  'i32.div_u': (a, b) => ({
    min: Math.floor(a.min / Math.max(1, b.max)),
    max: Math.floor(a.max / Math.max(1, b.min)),
  }),
  'i32.rem_u': (a, b) => ({ min: 0, max: Math.min(a.max, Math.max(0, b.max - 1)) }),
  'i32.and': (a, b) => ({ min: 0, max: Math.min(a.max, b.max) }),
  'i32.shl': (a, b) =>
    b.min === b.max && b.max < 32 ? { min: a.min * 2 ** b.min, max: a.max * 2 ** b.max } : ANY,
  'i32.shr_u': (a, b) => (b.min === b.max ? { min: a.min >>> b.min, max: a.max >>> b.max } : ANY),
  'i32.eqz': flag,
  'i32.eq': flag,
  'i32.ne': flag,
  'i32.lt_s': flag,
  'i32.lt_u': flag,
  'i32.gt_s': flag,
  'i32.gt_u': flag,
  'i32.le_s': flag,
  'i32.le_u': flag,
  'i32.ge_s': flag,
  'i32.ge_u': flag,
  'f32.eq': flag,
  'f32.ne': flag,
  'f32.lt': flag,
  'f32.gt': flag,
  'f32.le': flag,
  'f32.ge': flag,
};
