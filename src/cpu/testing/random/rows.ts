/** The operators that random programs are made of, from the table of all operators. */
import { OPERATORS, type Operator } from '../operators.ts';
import { asScalar, type RandomScalar, type RandomValue } from './tree.ts';

/** Literals, and what buffers hold. */
export const AWKWARD: Readonly<Record<RandomScalar, readonly (number | boolean)[]>> = {
  u32: [0, 1, 2, 3, 4, 5, 7, 8, 15, 31, 32, 33, 255, 65535, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 2, 2 ** 32 - 1],
  i32: [0, 1, -1, 2, -2, 3, 5, -7, 8, 31, 32, 100, -65536, 2 ** 31 - 1, 1 - 2 ** 31, -(2 ** 31)],
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
    0.1,
    1e-30,
    1e-42,
    1e10,
    -1e10,
    3e38,
    2 ** 31,
    2 ** 32,
    16777217,
  ].map(Math.fround),
  bool: [true, false],
};

/** An operator of `a` and `b`. */
export type Row = Omit<Operator, 'of' | 'to' | 'expected'> & {
  of: RandomScalar;
  to: RandomScalar;
  expected(a: number | boolean, b: number | boolean): number | boolean;
};

const logic = (text: string, expected: (a: boolean, b: boolean) => boolean) =>
  ({ of: 'bool', to: 'bool', text, expected }) as Row;

const LOGIC: readonly Row[] = [
  logic('a && b', (a, b) => a && b),
  logic('a || b', (a, b) => a || b),
  logic('!a', (a) => !a),
  logic('a & b', (a, b) => a && b),
  logic('a | b', (a, b) => a || b),
  logic('a == b', (a, b) => a === b),
  logic('a != b', (a, b) => a !== b),
];

/** Without those whose results have any bits, or that are right for finite numbers only. */
export const ROWS: readonly Row[] = [
  ...OPERATORS.filter(({ of, text }) => !(of === 'f32' ? /^bitcast|^\(!/ : /^\(!/).test(text)).map(
    (row) => ({ ...row, to: row.to ?? row.of }) as Row,
  ),
  ...LOGIC,
];

/** What works on vectors, component by component, as it stands. */
export const ON_VECTORS =
  /^(a ([-+*/%^&|]|[!=]=|[<>]=?) b|[-~!]a|(?!bitcast|[iuf]32|bool)\w+\(a(, b)?\)|select\(a, b, a > b\))$/;
export const ARITHMETIC = /^a [-+*/%] b$/;

/** Every operator of two operands that may stand before "=". */
export const assignable = (scalar: RandomScalar): readonly Row[] =>
  ROWS.filter(({ of, to, text }) => of === scalar && to === scalar && /^a ([-+*/%&|^]|<<|>>) /.test(text));

/** What an operator makes of values, component by component. */
export function computed(row: Row, a: RandomValue, b: RandomValue): RandomValue {
  if (Array.isArray(a)) return a.map((one, i) => computed(row, one, Array.isArray(b) ? b[i] : b));
  return asScalar(row.to, row.expected(a, b as number));
}

/** Whether WGSL refuses an operator of constants, of which it may know the right one alone: what wraps or is not finite. */
export function isRefused(
  { of, to, text }: Row,
  a: RandomValue | undefined,
  b: RandomValue | undefined,
  result: RandomValue | undefined,
): boolean {
  const some = (value: RandomValue | undefined, test: (one: number) => boolean): boolean =>
    value !== undefined && [value].flat(2).some((one) => test(Number(one)));
  if (of !== 'f32' && / [/%] /.test(text) && some(b, (one) => one === 0)) return true;
  if (/<<|>>/.test(text) && some(b, (one) => one >>> 0 > 31)) return true;
  if (result === undefined || of === 'bool') return false;
  if (to === 'f32') return some(result, (one) => !Number.isFinite(one));
  if (of === 'f32') return some(a, (one) => Math.abs(one) > 2 ** 30 || (to === 'u32' && one < 0));
  const isLarge = (one: number) => Math.abs(one) > 2 ** 15;
  return (
    some(a, isLarge) ||
    some(b, isLarge) ||
    some(result, (one) => Math.abs(one) > 2 ** 30) ||
    /<<|- 1/.test(text)
  );
}
