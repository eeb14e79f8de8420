/** WGSL's types and how they lie in memory (https://www.w3.org/TR/WGSL/#memory-layouts). */
import { alignUp } from '../../base/shape.ts';
import type { ValueType } from '../wasm/opcodes.ts';

/** 'int' and 'float' are those of constants that have no type yet. */
export type Scalar = 'f32' | 'i32' | 'u32' | 'bool' | 'int' | 'float';

export type Type =
  | { kind: 'scalar'; scalar: Scalar; isAtomic?: true }
  | { kind: 'vector'; size: number; scalar: Scalar }
  /** Without a length, as long as its buffer. */
  | { kind: 'array'; element: Type; length: number | undefined }
  | { kind: 'struct'; name: string; members: readonly StructMember[]; bytes: number; align: number };

export interface StructMember {
  name: string;
  type: Type;
  /** Bytes from the struct's start. */
  offset: number;
}

const SCALARS: readonly Scalar[] = ['f32', 'i32', 'u32', 'bool', 'int', 'float'];
const MADE = new Map(SCALARS.map((of) => [of, newTypes(of)]));

/** A scalar, and its vectors by their size. Each is made once. */
function newTypes(of: Scalar): { scalar: Type; vectors: readonly Vector[] } {
  const vectors = [0, 1, 2, 3, 4].map((size): Vector => ({ kind: 'vector', size, scalar: of }));
  return { scalar: { kind: 'scalar', scalar: of }, vectors };
}

export const scalar = (of: Scalar): Type => (MADE.get(of) as ReturnType<typeof newTypes>).scalar;

export type Vector = Type & { kind: 'vector' };

export const vectorOf = (size: number, of: Scalar): Vector =>
  (MADE.get(of) as ReturnType<typeof newTypes>).vectors[size];

/** A number, a condition, or a vector of them. */
export type Numeric = Type & { kind: 'scalar' | 'vector' };

export const isNumeric = (type: Type): type is Numeric =>
  type.kind === 'vector' || (type.kind === 'scalar' && !type.isAtomic);

/** How many components it has; 1 for a scalar. */
export const sizeOf = (type: Numeric): number => (type.kind === 'vector' ? type.size : 1);

export const withScalar = (type: Numeric, of: Scalar): Numeric =>
  type.kind === 'vector' ? vectorOf(type.size, of) : (scalar(of) as Numeric);

/** What a value is that is kept: `let x = 1` is an i32. */
export function concreteType(type: Type): Type {
  if (type.kind === 'array') {
    const element = concreteType(type.element);
    return element === type.element ? type : { ...type, element };
  }
  if (!isNumeric(type) || (type.scalar !== 'int' && type.scalar !== 'float')) return type;
  return withScalar(type, type.scalar === 'int' ? 'i32' : 'f32');
}

/** Whether it is four floats, which WebAssembly has a type for. */
export const isQuad = (type: Type): boolean =>
  type.kind === 'vector' && type.size === 4 && (type.scalar === 'f32' || type.scalar === 'float');

export const isFloat = (of: Scalar): boolean => of === 'f32' || of === 'float';

export function nameOf(type: Type): string {
  switch (type.kind) {
    case 'scalar':
      return type.isAtomic ? `atomic<${type.scalar}>` : type.scalar;
    case 'vector':
      return `vec${type.size}<${type.scalar}>`;
    case 'array':
      return `array<${nameOf(type.element)}${type.length === undefined ? '' : `, ${type.length}`}>`;
    case 'struct':
      return type.name;
  }
}

/** How many elements an index may name; undefined for an array that is as long as its buffer, and for what has none. */
export const countOf = (type: Type): number | undefined =>
  type.kind === 'vector' ? type.size : type.kind === 'array' ? type.length : undefined;

/** WebAssembly's type of a scalar. */
export const wordOf = (of: Scalar): ValueType =>
  of === 'int' || of === 'float' ? 'f64' : of === 'f32' ? 'f32' : 'i32';

/** A part of a value that WebAssembly has a type for, and where it lies. */
export interface Leaf {
  type: ValueType;
  offset: number;
}

/** The leaves of a type: the parts of a value of it, in order. */
export function leavesOf(type: Type, offset = 0): Leaf[] {
  switch (type.kind) {
    case 'scalar':
      return [{ type: wordOf(type.scalar), offset }];
    case 'vector':
      if (isQuad(type)) return [{ type: 'v128', offset }];
      return Array.from({ length: type.size }, (_, i) => ({
        type: wordOf(type.scalar),
        offset: offset + 4 * i,
      }));
    case 'array': {
      const stride = strideOf(type);
      return Array.from({ length: type.length ?? 0 }, (_, i) =>
        leavesOf(type.element, offset + i * stride),
      ).flat();
    }
    case 'struct':
      return type.members.flatMap((member) => leavesOf(member.type, offset + member.offset));
  }
}

/** The number of leaves. */
export function leafCount(type: Type): number {
  switch (type.kind) {
    case 'scalar':
      return 1;
    case 'vector':
      return isQuad(type) ? 1 : type.size;
    case 'array':
      return (type.length ?? 0) * leafCount(type.element);
    case 'struct':
      return type.members.reduce((sum, member) => sum + leafCount(member.type), 0);
  }
}

/** The size in bytes; 0 for an array that is as long as its buffer. */
export function bytesOf(type: Type): number {
  switch (type.kind) {
    case 'scalar':
      return 4;
    case 'vector':
      return 4 * type.size;
    case 'array':
      return (type.length ?? 0) * strideOf(type);
    case 'struct':
      return type.bytes;
  }
}

/** What its address is a multiple of. */
export function alignOf(type: Type): number {
  switch (type.kind) {
    case 'scalar':
      return 4;
    case 'vector':
      return type.size === 2 ? 8 : 16;
    case 'array':
      return alignOf(type.element);
    case 'struct':
      return type.align;
  }
}

/** Bytes from one element of an array to the next. */
export const strideOf = ({ element }: Type & { kind: 'array' }): number =>
  alignUp(bytesOf(element), alignOf(element));

/** @param members with the values of @align and @size */
export function structOf(
  name: string,
  members: readonly { name: string; type: Type; align?: number | undefined; size?: number | undefined }[],
): Type {
  let end = 0;
  let align = 4;
  const placed = members.map((member): StructMember => {
    const { type, align: own = alignOf(type), size = bytesOf(type) } = member;
    const offset = alignUp(end, own);
    end = offset + size;
    align = Math.max(align, own);
    return { name: member.name, type, offset };
  });
  return { kind: 'struct', name, members: placed, bytes: alignUp(end, align), align };
}

/** The components that a name like "xy" or "rgb" names, by index; none if it names others. */
export function componentsNamed(name: string, size: number): number[] {
  const names = /^[xyzw]{1,4}$/.test(name) ? 'xyzw' : /^[rgba]{1,4}$/.test(name) ? 'rgba' : '';
  const at = [...name].map((letter) => names.indexOf(letter));
  return at.every((i) => i >= 0 && i < size) ? at : [];
}
