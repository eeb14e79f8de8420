/** Values of WGSL while a kernel is compiled: their type, and a node for each of their leaves. */
import { constantOf, f32, i32, lane, op, select, vector, laneOp, type WasmNode } from '../wasm/nodes.ts';
import type { PlainOp } from '../wasm/opcodes.ts';
import { partsOf, type ConstantValue } from '../wgsl/constants.ts';
import {
  concreteType,
  isQuad,
  leavesOf,
  nameOf,
  scalar,
  vectorOf,
  type Scalar,
  type Type,
} from '../wgsl/types.ts';

export interface Value {
  readonly type: Type;
  readonly leaves: readonly WasmNode[];
}

/** Makes a node that is used more than once cheap to use: what computes it is kept in a variable. */
export type Once = (node: WasmNode) => WasmNode;

/** The value of a constant expression. */
export function constantValue(type: Type, constant: ConstantValue): Value {
  const kept = concreteType(type);
  const parts = partsOf(constant);
  switch (kept.kind) {
    case 'scalar':
      return { type: kept, leaves: [(kept.scalar === 'f32' ? f32 : i32)(Number(constant))] };
    case 'vector': {
      const of = scalar(kept.scalar);
      return fromComponents(
        kept,
        parts.flatMap((part) => constantValue(of, part).leaves),
      );
    }
    case 'array':
      return { type: kept, leaves: parts.flatMap((part) => constantValue(kept.element, part).leaves) };
    case 'struct':
      return {
        type: kept,
        leaves: parts.flatMap((part, i) => constantValue(kept.members[i].type, part).leaves),
      };
  }
}

export const flagValue = (node: WasmNode): Value => ({ type: scalar('bool'), leaves: [node] });

export const u32Value = (node: WasmNode): Value => ({ type: scalar('u32'), leaves: [node] });

/** The type of the numbers in it. */
export function scalarOf(type: Type): Scalar {
  if (type.kind === 'scalar' || type.kind === 'vector') return type.scalar;
  throw new Error(`expected a number or a vector, found ${nameOf(type)}`);
}

/** The scalars that it is made of: a vector's components. */
export function components({ type, leaves }: Value): WasmNode[] {
  if (isQuad(type)) return [0, 1, 2, 3].map((i) => lane(leaves[0], i));
  return [...leaves];
}

/** A value from its components. */
export function fromComponents(type: Type, parts: readonly WasmNode[]): Value {
  return { type, leaves: isQuad(type) && parts.length === 4 ? [vector(parts)] : parts };
}

export function zero(type: Type): Value {
  const leaves = leavesOf(type).map((leaf) =>
    leaf.type === 'v128' ? vector([f32(0), f32(0), f32(0), f32(0)]) : leaf.type === 'f32' ? f32(0) : i32(0),
  );
  return { type, leaves };
}

/** Explicit conversion of one number: `f32(x)`. */
function convertScalar(node: WasmNode, from: Scalar, to: Scalar): WasmNode {
  if (from === to) return node;
  switch (to) {
    case 'f32':
      return op(from === 'i32' ? 'f32.convert_i32_s' : 'f32.convert_i32_u', node);
    case 'bool':
      return from === 'f32' ? op('f32.ne', node, f32(0)) : op('i32.ne', node, i32(0));
    case 'u32':
    case 'i32':
      if (from !== 'f32') return node;
      return op(to === 'u32' ? 'i32.trunc_sat_f32_u' : 'i32.trunc_sat_f32_s', node);
    default:
      throw new Error(`${from} does not convert to ${to}`);
  }
}

/** Explicit conversion of a number or of a vector's components. */
export function convert(value: Value, to: Scalar): Value {
  const from = scalarOf(value.type);
  if (from === to) return value;
  const type = value.type.kind === 'vector' ? vectorOf(value.type.size, to) : scalar(to);
  return fromComponents(
    type,
    components(value).map((part) => convertScalar(part, from, to)),
  );
}

/** A vector with the number as each of its components. */
export function splat(node: WasmNode, type: Type, once: Once): Value {
  const part = once(node);
  if (isQuad(type)) return { type, leaves: [vector([part, part, part, part])] };
  return { type, leaves: leavesOf(type).map(() => part) };
}

/** Both with the same number of components. */
export function matched(a: Value, b: Value, once: Once): [Value, Value] {
  if (a.type.kind === 'vector' && b.type.kind === 'scalar') return [a, splat(b.leaves[0], a.type, once)];
  if (b.type.kind === 'vector' && a.type.kind === 'scalar') return [splat(a.leaves[0], b.type, once), b];
  return [a, b];
}

const ARITHMETIC: Readonly<Record<string, Partial<Record<'f32' | 'i32' | 'u32' | 'quad', PlainOp>>>> = {
  '+': { f32: 'f32.add', i32: 'i32.add', u32: 'i32.add', quad: 'f32x4.add' },
  '-': { f32: 'f32.sub', i32: 'i32.sub', u32: 'i32.sub', quad: 'f32x4.sub' },
  '*': { f32: 'f32.mul', i32: 'i32.mul', u32: 'i32.mul', quad: 'f32x4.mul' },
  '/': { f32: 'f32.div', i32: 'i32.div_s', u32: 'i32.div_u', quad: 'f32x4.div' },
  '%': { i32: 'i32.rem_s', u32: 'i32.rem_u' },
  '&': { i32: 'i32.and', u32: 'i32.and' },
  '|': { i32: 'i32.or', u32: 'i32.or' },
  '^': { i32: 'i32.xor', u32: 'i32.xor' },
  '<<': { i32: 'i32.shl', u32: 'i32.shl' },
  '>>': { i32: 'i32.shr_s', u32: 'i32.shr_u' },
};

const COMPARISON: Readonly<Record<string, Record<'f32' | 'i32' | 'u32', PlainOp>>> = {
  '==': { f32: 'f32.eq', i32: 'i32.eq', u32: 'i32.eq' },
  '!=': { f32: 'f32.ne', i32: 'i32.ne', u32: 'i32.ne' },
  '<': { f32: 'f32.lt', i32: 'i32.lt_s', u32: 'i32.lt_u' },
  '>': { f32: 'f32.gt', i32: 'i32.gt_s', u32: 'i32.gt_u' },
  '<=': { f32: 'f32.le', i32: 'i32.le_s', u32: 'i32.le_u' },
  '>=': { f32: 'f32.ge', i32: 'i32.ge_s', u32: 'i32.ge_u' },
};

export function binary(operator: string, a: Value, b: Value, once: Once): Value {
  if (operator === '<<' || operator === '>>') return shift(operator, a, b);
  const [left, right] = matched(a, b, once);
  const kind = scalarOf(left.type);
  const comparison = COMPARISON[operator];
  if (comparison) {
    const compare = comparison[kind === 'bool' ? 'u32' : (kind as 'f32')];
    const type = left.type.kind === 'vector' ? vectorOf(left.type.size, 'bool') : scalar('bool');
    const [xs, ys] = [left, right].map((value) => components(spread(value, once)));
    return { type, leaves: xs.map((x, i) => op(compare, x, ys[i])) };
  }
  if (kind === 'bool') {
    const logic = { '&&': 'i32.and', '&': 'i32.and', '||': 'i32.or', '|': 'i32.or', '^': 'i32.xor' } as const;
    const chosen = logic[operator as keyof typeof logic];
    return { type: left.type, leaves: left.leaves.map((x, i) => op(chosen, x, right.leaves[i])) };
  }
  const chosen = ARITHMETIC[operator]?.[isQuad(left.type) ? 'quad' : (kind as 'f32')];
  if (!chosen) throw new Error(`"${operator}" of ${nameOf(left.type)}`);
  const isDivision = kind !== 'f32' && (operator === '/' || operator === '%');
  const leaves = left.leaves.map((x, i) => {
    const y = right.leaves[i];
    return isDivision ? divided(chosen, x, y, kind === 'i32', once) : op(chosen, x, y);
  });
  return { type: left.type, leaves };
}

/** A quad that is about to be taken apart. */
const spread = (value: Value, once: Once): Value =>
  isQuad(value.type) ? { type: value.type, leaves: value.leaves.map(once) } : value;

/** WebAssembly traps where WGSL has a result: x / 0 is x, and so is the least number by -1; x % 0 is 0. */
function divided(chosen: PlainOp, x: WasmNode, y: WasmNode, isSigned: boolean, once: Once): WasmNode {
  if (isSigned) {
    const known = constantOf(y);
    if (known !== undefined && known !== 0 && known !== 2 ** 32 - 1) return op(chosen, x, y);
    const [a, b] = [once(x), once(y)];
    const isLeast = op('i32.eq', a, i32(2 ** 31));
    const overflows = op('i32.and', isLeast, op('i32.eq', b, i32(-1)));
    return op(chosen, a, select(i32(1), b, op('i32.or', op('i32.eqz', b), overflows)));
  }
  if (y.range.min > 0) return op(chosen, x, y);
  const b = once(y);
  return op(chosen, x, select(i32(1), b, op('i32.eqz', b)));
}

/** The number of bits is taken modulo 32, as WebAssembly does. */
function shift(operator: string, a: Value, b: Value): Value {
  const kind = scalarOf(a.type);
  const chosen = ARITHMETIC[operator][kind as 'i32' | 'u32'];
  return { type: a.type, leaves: a.leaves.map((x, i) => op(chosen as PlainOp, x, b.leaves[i])) };
}

/** `select(no, yes, condition)`, component by component where the condition has several. */
export function choose(no: Value, yes: Value, condition: Value, once: Once): Value {
  const [a, b] = [no, yes];
  const same = condition.leaves.every((leaf) => leaf === condition.leaves[0]);
  if (condition.type.kind === 'scalar' || same) {
    const [flag] = condition.leaves;
    const shared = a.leaves.length > 1 ? once(flag) : flag;
    return { type: a.type, leaves: a.leaves.map((leaf, i) => select(b.leaves[i], leaf, shared)) };
  }
  if (!isQuad(a.type)) {
    return {
      type: a.type,
      leaves: a.leaves.map((leaf, i) => select(b.leaves[i], leaf, condition.leaves[i])),
    };
  }
  return { type: a.type, leaves: [op('v128.bitselect', b.leaves[0], a.leaves[0], maskOf(condition.leaves))] };
}

/** All bits set where a flag is true. */
function maskOf(flags: readonly WasmNode[]): WasmNode {
  const [first, ...rest] = flags.map((flag) => op('i32.sub', i32(0), flag));
  return rest.reduce<WasmNode>(
    (mask, one, i) => laneOp('i32x4.replace_lane', i + 1, mask, one),
    op('i32x4.splat', first),
  );
}

export function unary(operator: string, { type, leaves }: Value): Value {
  const isFloats = scalarOf(type) === 'f32';
  const change = (leaf: WasmNode): WasmNode => {
    if (operator === '!') return op('i32.eqz', leaf);
    if (operator === '~') return op('i32.xor', leaf, i32(-1));
    return isFloats ? op(isQuad(type) ? 'f32x4.neg' : 'f32.neg', leaf) : op('i32.sub', i32(0), leaf);
  };
  return { type, leaves: leaves.map(change) };
}
