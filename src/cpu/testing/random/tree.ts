/** What random programs are made of: pieces of WGSL, each with what it does in plain TypeScript. */
import { bits } from '../run-shader.ts';

export type RandomScalar = 'u32' | 'i32' | 'f32' | 'bool';

/** A number if `size` is 1, or else a vector, or an array of them with these lengths. */
export interface RandomType {
  scalar: RandomScalar;
  size: number;
  lengths: readonly number[];
}

/** Vectors and arrays are arrays. An i32 is signed, and an f32 has been rounded. */
export type RandomValue = number | boolean | RandomValue[];

/** One invocation while its program runs. */
export interface Invocation {
  /** Variables of its own, those of the workgroup, and buffers. */
  own: RandomValue[];
  shared: RandomValue[];
  buffers: RandomValue[];
  /** What a function has returned. */
  result: RandomValue;
}

export interface RandomExpression {
  type: RandomType;
  text: string;
  run(at: Invocation): RandomValue;
  /** If it is a constant expression: WGSL refuses some of them that it allows elsewhere. */
  known?: RandomValue;
}

/** A variable or a part of one: `run` returns what contains it, and its place there. */
export interface Reference {
  type: RandomType;
  text: string;
  run(at: Invocation): [container: RandomValue[], key: number];
}

/** How a statement ends. */
export type Signal = 'break' | 'continue' | 'return' | undefined;

export interface RandomStatement {
  text: string;
  run(at: Invocation): Signal;
}

export const scalarType = (scalar: RandomScalar): RandomType => ({ scalar, size: 1, lengths: [] });
export const vectorType = (scalar: RandomScalar, size: number): RandomType => ({ scalar, size, lengths: [] });
export const arrayType = ({ scalar, size, lengths }: RandomType, length: number): RandomType => ({
  scalar,
  size,
  lengths: [length, ...lengths],
});

/** The type of what an index finds. */
export const elementType = ({ scalar, size, lengths: [first, ...others] }: RandomType): RandomType =>
  first === undefined ? scalarType(scalar) : { scalar, size, lengths: others };

export const isSame = (a: RandomType, b: RandomType): boolean => nameOf(a) === nameOf(b);

export function nameOf({ scalar, size, lengths }: RandomType): string {
  const name = size === 1 ? scalar : scalar === 'bool' ? `vec${size}<bool>` : `vec${size}${scalar[0]}`;
  return lengths.reduceRight((inner, length) => `array<${inner}, ${length}>`, name);
}

/** A number as one of a type, however it was computed. */
export function asScalar(scalar: RandomScalar, value: number | boolean): number | boolean {
  switch (scalar) {
    case 'u32':
      return Number(value) >>> 0;
    case 'i32':
      return Number(value) | 0;
    case 'f32':
      return Math.fround(Number(value));
    case 'bool':
      return Boolean(value);
  }
}

export const zeroOf = (type: RandomType): RandomValue =>
  type.lengths.length > 0 || type.size > 1
    ? Array.from({ length: type.lengths[0] ?? type.size }, () => zeroOf(elementType(type)))
    : asScalar(type.scalar, 0);

export const copy = (value: RandomValue): RandomValue => (Array.isArray(value) ? value.map(copy) : value);

/** Every NaN is the same one. */
export function wordOf(value: number | boolean, scalar: RandomScalar): number {
  if (scalar !== 'f32') return Number(value) >>> 0;
  return Number.isNaN(value) ? NAN_WORD : bits(Number(value));
}
export const NAN_WORD = 0x7fc00000;

/** A number in WGSL. */
export function literal(scalar: RandomScalar, value: number | boolean): string {
  if (scalar === 'bool') return String(value);
  if (scalar === 'u32') return `${value}u`;
  // There is no literal of the least i32.
  if (scalar === 'i32') return value === -(2 ** 31) ? '(-2147483647i - 1i)' : signed(Number(value), 'i');
  return signed(Number(value), 'f');
}

const signed = (value: number, suffix: string) =>
  value < 0 || Object.is(value, -0) ? `(-${-value}${suffix})` : `${value}${suffix}`;
