/** Values of WGSL while a kernel is compiled: their type, and a node for each of their leaves. */
import { constantOf, f32, i32, lane, op, select, vector, laneOp, type WasmNode } from '../wasm/nodes.ts';
import type { PlainOp } from '../wasm/opcodes.ts';
import { isFloat, isQuad, leavesOf, nameOf, scalar, vectorOf, type Scalar, type Type } from './types.ts';

export interface Value {
  readonly type: Type;
  readonly leaves: readonly WasmNode[];
}

/** Makes a node that is used more than once cheap to use: what computes it is kept in a variable. */
export type Once = (node: WasmNode) => WasmNode;

/** Something that WGSL does not allow or this compiler does not support. The place is added where it is known. */
export class Unsupported extends Error {}

/** A constant of no type yet: 'int', which has no negative zero, or 'float'. */
export function abstract(kind: 'int' | 'float', number: number): Value {
  const value = kind === 'int' ? number + 0 : number;
  if (!Number.isFinite(value)) throw new Unsupported('a constant that is no finite number');
  return { type: scalar(kind), leaves: [{ kind: 'const', type: 'f64', value, range: { min: 0, max: 0 } }] };
}

const isAbstract = (of: Scalar): of is 'int' | 'float' => of === 'int' || of === 'float';

export const flagValue = (node: WasmNode): Value => ({ type: scalar('bool'), leaves: [node] });

export const u32Value = (node: WasmNode): Value => ({ type: scalar('u32'), leaves: [node] });

/** The type of the numbers in it. */
export function scalarOf(type: Type): Scalar {
  if (type.kind === 'scalar' || type.kind === 'vector') return type.scalar;
  throw new Unsupported(`expected a number or a vector, found ${nameOf(type)}`);
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

/** The default type of an untyped constant. */
export const concrete = (of: Scalar): Scalar => (of === 'int' ? 'i32' : of === 'float' ? 'f32' : of);

/** A value with a concrete type: an untyped constant gets its default. */
export function concreteValue(value: Value): Value {
  const { kind } = value.type;
  return kind === 'scalar' || kind === 'vector' ? convert(value, concrete(scalarOf(value.type))) : value;
}

/** The common type of several numbers: that of the typed ones, or else of the untyped constants. */
export function commonScalar(types: readonly Type[]): Scalar {
  const scalars = types.map(scalarOf);
  const [first, ...others] = scalars.filter((one) => !isAbstract(one));
  const hasFloat = scalars.includes('float');
  if (first === undefined) return hasFloat ? 'float' : 'int';
  if (others.some((one) => one !== first) || (hasFloat && first !== 'f32'))
    throw new Unsupported(`operands are ${types.map(nameOf).join(' and ')}`);
  return first;
}

/** Explicit conversion of one number: `f32(x)`. */
function convertScalar(node: WasmNode, from: Scalar, to: Scalar): WasmNode {
  if (from === to) return node;
  if (from === 'int' || from === 'float') {
    const value = constantOf(node) ?? 0;
    if (to === 'f32') return f32(value);
    if (to === 'bool') return i32(Number(value !== 0));
    if (to === 'float') return node;
    return i32(Math.trunc(value));
  }
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
      throw new Unsupported(`${from} does not convert to ${to}`);
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

/** A value as this type: untyped constants take it, all other values must have it. */
export function coerce(value: Value, to: Type): Value {
  const sizeOf = (type: Type) => (type.kind === 'vector' ? type.size : type.kind === 'scalar' ? 1 : 0);
  if (sizeOf(to) > 0 && sizeOf(to) === sizeOf(value.type)) {
    const [from, wanted] = [scalarOf(value.type), scalarOf(to)];
    if ((from === 'int' && wanted !== 'bool') || (from === 'float' && isFloat(wanted)))
      return convert(value, wanted);
  }
  if (nameOf(value.type) !== nameOf(to))
    throw new Unsupported(`expected ${nameOf(to)}, found ${nameOf(value.type)}`);
  return value;
}

/** A vector with the number as each of its components. */
export function splat(node: WasmNode, type: Type, once: Once): Value {
  const part = once(node);
  if (isQuad(type)) return { type, leaves: [vector([part, part, part, part])] };
  return { type, leaves: leavesOf(type).map(() => part) };
}

/** Both with the same scalar type and the same number of components. */
export function matched(a: Value, b: Value, once: Once): [Value, Value] {
  const common = commonScalar([a.type, b.type]);
  let [left, right] = [convert(a, common), convert(b, common)];
  if (left.type.kind === 'vector' && right.type.kind === 'vector' && left.type.size !== right.type.size)
    throw new Unsupported(`operands are ${nameOf(a.type)} and ${nameOf(b.type)}`);
  if (left.type.kind === 'vector' && right.type.kind === 'scalar')
    right = splat(right.leaves[0], left.type, once);
  if (right.type.kind === 'vector' && left.type.kind === 'scalar')
    left = splat(left.leaves[0], right.type, once);
  return [left, right];
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
  if (kind === 'int' || kind === 'float') return abstractBinary(operator, kind, left, right);
  const comparison = COMPARISON[operator];
  if (comparison) {
    const compare = comparison[kind === 'bool' ? 'u32' : kind];
    const type = left.type.kind === 'vector' ? vectorOf(left.type.size, 'bool') : scalar('bool');
    const [xs, ys] = [left, right].map((value) => components(spread(value, once)));
    return { type, leaves: xs.map((x, i) => op(compare, x, ys[i])) };
  }
  if (kind === 'bool') {
    const logic = { '&&': 'i32.and', '&': 'i32.and', '||': 'i32.or', '|': 'i32.or', '^': 'i32.xor' } as const;
    const chosen = logic[operator as keyof typeof logic];
    if (!chosen) throw new Unsupported(`"${operator}" of bool`);
    return { type: left.type, leaves: left.leaves.map((x, i) => op(chosen, x, right.leaves[i])) };
  }
  const chosen = ARITHMETIC[operator]?.[isQuad(left.type) ? 'quad' : kind];
  if (!chosen) throw new Unsupported(`"${operator}" of ${nameOf(left.type)}`);
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
  if (kind === 'int') {
    if (scalarOf(b.type) !== 'int') return shift(operator, convert(a, 'i32'), b);
    const [x, y] = [a, b].map(({ leaves: [leaf] }) => constantOf(leaf) ?? 0);
    return abstract('int', operator === '<<' ? x * 2 ** y : Math.floor(x / 2 ** y));
  }
  const chosen = ARITHMETIC[operator][kind as 'i32' | 'u32'];
  if (!chosen) throw new Unsupported(`"${operator}" of ${nameOf(a.type)}`);
  const bits = convert(b, 'u32');
  const by = bits.type.kind === 'scalar' ? a.leaves.map(() => bits.leaves[0]) : bits.leaves;
  return { type: a.type, leaves: a.leaves.map((x, i) => op(chosen, x, by[i])) };
}

const BITWISE: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
};

function abstractBinary(operator: string, kind: 'int' | 'float', a: Value, b: Value): Value {
  if (a.type.kind !== 'scalar' || b.type.kind !== 'scalar')
    return binary(operator, concreteValue(a), concreteValue(b), (node) => node);
  const [x, y] = [a, b].map(({ leaves: [leaf] }) => constantOf(leaf) ?? 0);
  const divide = kind === 'int' ? Math.trunc(x / y) : x / y;
  const whole = kind === 'int' && BITWISE[operator];
  if (whole) return abstract(kind, Number(whole(BigInt(x), BigInt(y))));
  switch (operator) {
    case '+':
      return abstract(kind, x + y);
    case '-':
      return abstract(kind, x - y);
    case '*':
      return abstract(kind, x * y);
    case '/':
      return abstract(kind, divide);
    case '%':
      return abstract(kind, x % y);
    default: {
      const compare = COMPARISON[operator];
      if (!compare) throw new Unsupported(`"${operator}" of constants`);
      const [left, right] = [f32(Math.sign(x - y)), f32(0)];
      return flagValue(op(compare.f32, left, right));
    }
  }
}

/** `select(no, yes, condition)`, component by component where the condition has several. */
export function choose(no: Value, yes: Value, condition: Value, once: Once): Value {
  let [a, b] = [no, yes];
  if (no.type.kind === 'scalar' || no.type.kind === 'vector') {
    [a, b] = matched(no, yes, once);
    // Which of the two constants is chosen is only known when the kernel runs.
    if (condition.leaves.some((leaf) => constantOf(leaf) === undefined)) [a, b] = [a, b].map(concreteValue);
  }
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

export function unary(operator: string, value: Value): Value {
  const { type } = value;
  if (operator === '!' && scalarOf(type) === 'bool')
    return { type, leaves: value.leaves.map((leaf) => op('i32.eqz', leaf)) };
  const kind = scalarOf(type);
  if (operator === '-' && kind !== 'bool') {
    if (kind === 'int' || kind === 'float') {
      if (type.kind === 'vector') return unary(operator, concreteValue(value));
      return abstract(kind, -(constantOf(value.leaves[0]) ?? 0));
    }
    const negate = (leaf: WasmNode) =>
      kind !== 'f32' ? op('i32.sub', i32(0), leaf) : op(isQuad(type) ? 'f32x4.neg' : 'f32.neg', leaf);
    return { type, leaves: value.leaves.map(negate) };
  }
  if (operator === '~' && kind === 'int' && type.kind === 'scalar')
    return abstract(kind, -1 - (constantOf(value.leaves[0]) ?? 0));
  if (operator === '~' && !isFloat(kind) && kind !== 'bool') {
    const whole = concreteValue(value);
    return { type: whole.type, leaves: whole.leaves.map((leaf) => op('i32.xor', leaf, i32(-1))) };
  }
  throw new Unsupported(`"${operator}" of ${nameOf(type)}`);
}

/** The components that a name like "xy" or "rgb" names, by index. */
export function componentsNamed(name: string, type: Type): number[] {
  const names = /^[xyzw]+$/.test(name) ? 'xyzw' : /^[rgba]+$/.test(name) ? 'rgba' : undefined;
  if (!names || name.length > 4) throw new Unsupported(`no member "${name}"`);
  const at = [...name].map((letter) => names.indexOf(letter));
  if (type.kind !== 'vector' || at.some((i) => i >= type.size))
    throw new Unsupported(`${nameOf(type)} has no member "${name}"`);
  return at;
}
