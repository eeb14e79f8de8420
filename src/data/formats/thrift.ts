/** Thrift's compact protocol, as Parquet has it: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md */
import type { ByteReader } from '../../base/bytes.ts';

export type ThriftValue = number | boolean | Uint8Array | ThriftValue[] | ThriftStruct;
/** Fields by their numbers. */
export type ThriftStruct = ReadonlyMap<number, ThriftValue>;

/** Deeper than Parquet's own. */
const MAX_DEPTH = 16;
/** Ten thousand columns in groups of rows have fewer. An empty struct takes a byte of a file, and 200 of memory. */
const MAX_VALUES = 200_000;
const [STOP, TRUE, FALSE, BYTE, I64, DOUBLE, BINARY, LIST, SET, STRUCT] = [0, 1, 2, 3, 6, 7, 8, 9, 10, 12];

/** What is left of the values that one struct may have. */
interface Budget {
  values: number;
}

/** Integers above 2^53 lose their last digits. @throws Failure `bad-file` with the byte of what is wrong */
export function readStruct(
  file: ByteReader,
  depth = 0,
  budget: Budget = { values: MAX_VALUES },
): ThriftStruct {
  const fields = new Map<number, ThriftValue>();
  let field = 0;
  for (;;) {
    const head = file.u8('a field');
    const type = head & 15;
    if (type === STOP) return fields;
    field = head >> 4 === 0 ? zigzag(varint(file)) : field + (head >> 4);
    fields.set(field, type === TRUE || type === FALSE ? type === TRUE : valueOf(file, type, depth, budget));
  }
}

function valueOf(file: ByteReader, type: number, depth: number, budget: Budget): ThriftValue {
  if (depth > MAX_DEPTH) throw file.bad(`expected at most ${MAX_DEPTH} structs and lists in one another`);
  if (--budget.values < 0) throw file.bad(`expected at most ${MAX_VALUES} values, found more`);
  if (type === TRUE || type === FALSE) return file.u8('a truth value') === TRUE;
  if (type === BYTE) return file.u8('a byte');
  if (type > BYTE && type <= I64) return zigzag(varint(file));
  if (type === DOUBLE) return file.take(8, 'a number');
  if (type === BINARY) return file.take(varint(file), 'a text');
  if (type === LIST || type === SET) {
    const head = file.u8('a list');
    const count = head >> 4 === 15 ? varint(file) : head >> 4;
    // Each element has at least one byte.
    if (count > file.remaining) throw file.bad(`expected a list in the file, found ${count} elements`);
    return Array.from({ length: count }, () => valueOf(file, head & 15, depth + 1, budget));
  }
  if (type === STRUCT) return readStruct(file, depth + 1, budget);
  throw file.bad(`expected a type of Thrift, found ${type}`);
}

/** Seven bits of each byte, the lowest first; the last byte has no eighth bit. */
export function varint(file: ByteReader): number {
  let value = 0;
  for (let place = 1; place < 2 ** 70; place *= 128) {
    const byte = file.u8('a number');
    value += (byte & 127) * place;
    if (byte < 128) return value;
  }
  throw file.bad('expected a number of at most ten bytes');
}

const zigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
