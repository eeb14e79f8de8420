/** The instructions of WebAssembly that compiled kernels use (https://webassembly.github.io/spec/core/binary/instructions.html). */

export type ValueType = 'i32' | 'f32' | 'f64' | 'v128';

interface Instruction {
  code: readonly number[];
  result: ValueType;
}

const SIMD = 0xfd;

/** Unsigned LEB128. */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? low + 128 : low);
  } while (rest > 0);
  return bytes;
}

/** Signed LEB128 of 32 bits. */
export function signed(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value | 0; ; rest >>= 7) {
    const low = rest & 0x7f;
    const isLast = (rest >> 6 === 0 && low < 64) || (rest >> 6 === -1 && low >= 64);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
}

/** Instructions with plain operands, by name. */
const PLAIN = {
  'i32.eqz': [0x45],
  'i32.eq': [0x46],
  'i32.ne': [0x47],
  'i32.lt_s': [0x48],
  'i32.lt_u': [0x49],
  'i32.gt_s': [0x4a],
  'i32.gt_u': [0x4b],
  'i32.le_s': [0x4c],
  'i32.le_u': [0x4d],
  'i32.ge_s': [0x4e],
  'i32.ge_u': [0x4f],
  'f32.eq': [0x5b],
  'f32.ne': [0x5c],
  'f32.lt': [0x5d],
  'f32.gt': [0x5e],
  'f32.le': [0x5f],
  'f32.ge': [0x60],
  'i32.clz': [0x67],
  'i32.ctz': [0x68],
  'i32.popcnt': [0x69],
  'i32.add': [0x6a],
  'i32.sub': [0x6b],
  'i32.mul': [0x6c],
  'i32.div_s': [0x6d],
  'i32.div_u': [0x6e],
  'i32.rem_s': [0x6f],
  'i32.rem_u': [0x70],
  'i32.and': [0x71],
  'i32.or': [0x72],
  'i32.xor': [0x73],
  'i32.shl': [0x74],
  'i32.shr_s': [0x75],
  'i32.shr_u': [0x76],
  'i32.reinterpret_f32': [0xbc],
  'f32.abs': [0x8b],
  'f32.neg': [0x8c],
  'f32.ceil': [0x8d],
  'f32.floor': [0x8e],
  'f32.trunc': [0x8f],
  'f32.nearest': [0x90],
  'f32.sqrt': [0x91],
  'f32.add': [0x92],
  'f32.sub': [0x93],
  'f32.mul': [0x94],
  'f32.div': [0x95],
  'f32.min': [0x96],
  'f32.max': [0x97],
  'f32.copysign': [0x98],
  'f32.convert_i32_s': [0xb2],
  'f32.convert_i32_u': [0xb3],
  'f32.demote_f64': [0xb6],
  'f32.reinterpret_i32': [0xbe],
  'f64.nearest': [0x9e],
  'f64.add': [0xa0],
  'f64.sub': [0xa1],
  'f64.mul': [0xa2],
  'f64.div': [0xa3],
  'f64.min': [0xa4],
  'f64.max': [0xa5],
  'f64.convert_i32_s': [0xb7],
  'f64.promote_f32': [0xbb],
  'i32.trunc_sat_f64_s': [0xfc, 2],
  'i32.trunc_sat_f32_s': [0xfc, 0],
  'i32.trunc_sat_f32_u': [0xfc, 1],
  'i32x4.splat': [SIMD, ...unsigned(0x11)],
  'f32x4.splat': [SIMD, ...unsigned(0x13)],
  'f32x4.eq': [SIMD, ...unsigned(0x41)],
  'f32x4.ne': [SIMD, ...unsigned(0x42)],
  'f32x4.lt': [SIMD, ...unsigned(0x43)],
  'f32x4.gt': [SIMD, ...unsigned(0x44)],
  'f32x4.le': [SIMD, ...unsigned(0x45)],
  'f32x4.ge': [SIMD, ...unsigned(0x46)],
  'v128.and': [SIMD, ...unsigned(0x4e)],
  'v128.bitselect': [SIMD, ...unsigned(0x52)],
  'f32x4.abs': [SIMD, ...unsigned(0xe0)],
  'f32x4.neg': [SIMD, ...unsigned(0xe1)],
  'f32x4.sqrt': [SIMD, ...unsigned(0xe3)],
  'f32x4.add': [SIMD, ...unsigned(0xe4)],
  'f32x4.sub': [SIMD, ...unsigned(0xe5)],
  'f32x4.mul': [SIMD, ...unsigned(0xe6)],
  'f32x4.div': [SIMD, ...unsigned(0xe7)],
  'f32x4.min': [SIMD, ...unsigned(0xe8)],
  'f32x4.max': [SIMD, ...unsigned(0xe9)],
} as const satisfies Readonly<Record<string, readonly number[]>>;

export type PlainOp = keyof typeof PLAIN;

/** An instruction's bytes. */
export const codeOf = (op: PlainOp): readonly number[] => PLAIN[op];

/** The type of an instruction's result. */
export const resultOf = (op: PlainOp): ValueType => RESULTS[op];

/** i32 for a comparison, otherwise what its name starts with. */
function resultIn(op: PlainOp): ValueType {
  if (/^(f32x4|i32x4|v128)/.test(op)) return 'v128';
  if (/\.(eqz?|ne|[lg][te])(_[su])?$/.test(op)) return 'i32';
  return op.slice(0, 3) as ValueType;
}

const RESULTS = Object.fromEntries(Object.keys(PLAIN).map((op) => [op, resultIn(op as PlainOp)])) as Readonly<
  Record<PlainOp, ValueType>
>;

/** Instructions with a lane as an immediate. */
export const LANE_OPS = {
  'i32x4.replace_lane': { code: [SIMD, 0x1c], result: 'v128' },
  'f32x4.extract_lane': { code: [SIMD, 0x1f], result: 'f32' },
  'f32x4.replace_lane': { code: [SIMD, 0x20], result: 'v128' },
} as const satisfies Readonly<Record<string, Instruction>>;

export type LaneOp = keyof typeof LANE_OPS;

/** Instructions with an alignment, as a power of two, and an offset. */
export const LOADS = {
  i32: { code: [0x28], align: 2 },
  f32: { code: [0x2a], align: 2 },
  v128: { code: [SIMD, 0x00], align: 2 },
} as const;

export const STORES = {
  i32: { code: [0x36], align: 2 },
  f32: { code: [0x38], align: 2 },
  v128: { code: [SIMD, 0x0b], align: 2 },
} as const;
