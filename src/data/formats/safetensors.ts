/**
 * safetensors (Hugging Face): an 8-byte little-endian header length, a JSON header, then the tensors' bytes. The header
 * maps each name to {dtype, shape, data_offsets: [begin, end]}, offsets counted from the end of the header, and
 * `__metadata__` to strings. The tensors fill the rest of the file without holes or overlap.
 */
import { fromBfloat, fromHalf } from '../../base/half.ts';
import { badFile, ByteReader } from '../../base/bytes.ts';
import { assert } from '../../base/assert.ts';
import { elements, showShape, type Shape } from '../../base/shape.ts';
import { parseJson, type Json } from './json.ts';

export interface NamedTensor {
  shape: readonly number[];
  /** Values of the shape, last dimension fastest. */
  data: Float32Array<ArrayBuffer>;
}

export interface Safetensors {
  /** By name, in the order of the file's bytes. */
  tensors: Map<string, NamedTensor>;
  metadata: Map<string, string>;
}

/** The types that are written, and read as they are. */
const ARRAYS = { F64: Float64Array, F32: Float32Array, U32: Uint32Array, U8: Uint8Array };
export type TensorArray = Float64Array | Float32Array | Uint32Array | Uint8Array;

const METADATA = '__metadata__';
export const MAX_HEADER_BYTES = 1 << 20;
const MAX_RANK = 8;

/** How one element of each supported type is stored. `get` returns it as float32. */
const DTYPES: ReadonlyMap<string, { bytes: number; get(view: DataView, offset: number): number }> = new Map([
  ['F32', { bytes: 4, get: (view: DataView, offset: number) => view.getFloat32(offset, true) }],
  ['F64', { bytes: 8, get: (view: DataView, offset: number) => view.getFloat64(offset, true) }],
  ['F16', { bytes: 2, get: (view: DataView, offset: number) => fromHalf(view.getUint16(offset, true)) }],
  ['BF16', { bytes: 2, get: (view: DataView, offset: number) => fromBfloat(view.getUint16(offset, true)) }],
  ['I64', { bytes: 8, get: (view: DataView, offset: number) => Number(view.getBigInt64(offset, true)) }],
  ['U32', { bytes: 4, get: (view: DataView, offset: number) => view.getUint32(offset, true) }],
  ['I32', { bytes: 4, get: (view: DataView, offset: number) => view.getInt32(offset, true) }],
  ['U8', { bytes: 1, get: (view: DataView, offset: number) => view.getUint8(offset) }],
]);

/**
 * Reads a safetensors file. Every type is converted to float32: F32, F16 and BF16 exactly, the others rounded to
 * nearest. Values may be infinite or NaN.
 * @param name the file's name, for messages
 * @throws Failure `bad-file` with the byte offset of what is wrong
 */
export function readSafetensors(name: string, bytes: Uint8Array): Safetensors {
  const { entries, metadata } = readEntries(name, bytes);
  const tensors = entries.map(
    ({ key, dtype, shape, data }) => [key, { shape, data: toFloat32(data, dtype) }] as const,
  );
  return { tensors: new Map(tensors), metadata };
}

/**
 * Reads a safetensors file without converting anything: its arrays, flat, as copies.
 * @throws Failure `bad-file` with the byte offset of what is wrong, also where a type is none of F64, F32, U32 and U8
 */
export function readArrays(
  name: string,
  bytes: Uint8Array,
): { arrays: Map<string, TensorArray>; metadata: Map<string, string> } {
  const { entries, metadata } = readEntries(name, bytes);
  const arrays = entries.map(({ key, dtype, data }) => {
    const kind = Object.hasOwn(ARRAYS, dtype) ? ARRAYS[dtype as keyof typeof ARRAYS] : undefined;
    if (!kind)
      throw badFile(
        name,
        8,
        `expected tensor "${key}" to be one of ${Object.keys(ARRAYS).join(', ')}, found ${dtype}`,
      );
    // Not slice(), which Node's buffers override.
    return [key, new kind(Uint8Array.from(data).buffer)] as const;
  });
  return { arrays: new Map(arrays), metadata };
}

/** The entries in the order of their bytes, with views of these. */
function readEntries(
  name: string,
  bytes: Uint8Array,
): { entries: (Entry & { data: Uint8Array })[]; metadata: Map<string, string> } {
  const file = new ByteReader(name, bytes);
  const headerBytes = file.u64le('the header length');
  if (headerBytes > MAX_HEADER_BYTES) {
    throw file.bad(`expected a header of at most ${MAX_HEADER_BYTES} bytes, found ${headerBytes}`, 0);
  }
  const header = file.take(headerBytes, 'the header');
  if (header[0] !== 0x7b) throw file.bad("expected the header to start with '{'", 8);
  const root = parseJson(name, header, 8) as Map<string, Json>;

  // Failures in the header's contents point at the header as a whole and name the entry.
  const bad = (message: string) => file.bad(message, 8);
  const metadata = readMetadata(root.get(METADATA), bad);
  const entries: Entry[] = [];
  for (const [key, value] of root) if (key !== METADATA) entries.push(readEntry(key, value, bad));
  entries.sort((a, b) => a.begin - b.begin || a.end - b.end);

  const start = file.offset;
  let filled = 0;
  const found = entries.map((entry) => {
    const { key, begin, end } = entry;
    if (begin !== filled) {
      const problem = begin > filled ? 'leaves a hole before' : 'overlaps with';
      throw file.bad(
        `tensor "${key}" starts at ${begin} and so ${problem} the bytes that end at ${filled}`,
        start + filled,
      );
    }
    filled = end;
    return { ...entry, data: file.take(end - begin, `tensor "${key}"`) };
  });
  file.end();
  return { entries: found, metadata };
}

interface Entry {
  key: string;
  dtype: string;
  shape: number[];
  begin: number;
  end: number;
}

type Bad = (message: string) => Error;

function readMetadata(value: Json | undefined, bad: Bad): Map<string, string> {
  const metadata = new Map<string, string>();
  if (value === undefined) return metadata;
  if (!(value instanceof Map)) throw bad(`expected ${METADATA} to map names to strings`);
  for (const [key, text] of value) {
    if (typeof text !== 'string') throw bad(`expected ${METADATA} "${key}" to be a string`);
    metadata.set(key, text);
  }
  return metadata;
}

/** Checks one tensor's entry: its fields, and that its length matches its shape. */
function readEntry(key: string, value: Json, bad: Bad): Entry {
  if (!(value instanceof Map)) throw bad(`expected tensor "${key}" to have dtype, shape and data_offsets`);
  for (const field of value.keys()) {
    if (!['dtype', 'shape', 'data_offsets'].includes(field))
      throw bad(`tensor "${key}" has an unknown field "${field}"`);
  }
  const dtype = value.get('dtype');
  const size = typeof dtype === 'string' ? DTYPES.get(dtype) : undefined;
  if (typeof dtype !== 'string' || size === undefined) {
    throw bad(`expected tensor "${key}" to be one of ${[...DTYPES.keys()].join(', ')}, found ${show(dtype)}`);
  }
  const shape = value.get('shape');
  if (!isSizes(shape))
    throw bad(`expected tensor "${key}" to have a shape of whole numbers, found ${show(shape)}`);
  if (shape.length > MAX_RANK) {
    throw bad(`expected tensor "${key}" to have at most ${MAX_RANK} dimensions, found ${shape.length}`);
  }
  const offsets = value.get('data_offsets');
  if (!isSizes(offsets) || offsets.length !== 2) {
    throw bad(`expected tensor "${key}" to have two data_offsets, found ${show(offsets)}`);
  }
  const [begin, end] = offsets;
  // Step by step, since a later 0 would hide an overflow.
  const needed = shape.reduce(
    (product, n) => (Number.isSafeInteger(product * n) ? product * n : NaN),
    size.bytes,
  );
  if (end - begin !== needed) {
    throw bad(
      `tensor "${key}" has ${end - begin} bytes, but ${dtype} of shape ${showShape(shape)} takes ${needed}`,
    );
  }
  return { key, dtype, shape, begin, end };
}

const isSizes = (value: Json | undefined): value is number[] =>
  Array.isArray(value) &&
  value.every((item) => Number.isSafeInteger(item) && (item as number) >= 0 && !Object.is(item, -0));

const show = (value: Json | undefined): string => {
  if (value === undefined) return 'nothing';
  const text = value instanceof Map ? 'an object' : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
};

const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** A copy, which does not need aligned bytes and does not keep the file in memory. */
function toFloat32(bytes: Uint8Array, dtype: string): Float32Array<ArrayBuffer> {
  const type = DTYPES.get(dtype);
  assert(type !== undefined, `unchecked dtype ${dtype}`);
  const data = new Float32Array(bytes.length / type.bytes);
  if (dtype === 'F32' && LITTLE_ENDIAN) {
    new Uint8Array(data.buffer).set(bytes);
    return data;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < data.length; i++) data[i] = type.get(view, i * type.bytes);
  return data;
}

/**
 * A safetensors file of tensors in the given order, each of its array's type. The header is padded with spaces to align
 * the data to 8 bytes, as the official library does.
 */
export function writeSafetensors(
  tensors: ReadonlyMap<string, { shape: Shape; data: TensorArray }>,
  metadata: ReadonlyMap<string, string> = new Map(),
): Uint8Array<ArrayBuffer> {
  // Not by JSON.stringify of an object, which would lose a key like `__proto__` and reorder keys that look like
  // numbers.
  const entries: string[] = [];
  if (metadata.size > 0) {
    const pairs = [...metadata].map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
    entries.push(`"${METADATA}":{${pairs.join(',')}}`);
  }
  let end = 0;
  for (const [key, { shape, data }] of tensors) {
    assert(key !== METADATA, `a tensor cannot be named ${METADATA}`);
    assert(shape.length <= MAX_RANK, `tensor "${key}" has ${shape.length} dimensions`);
    assert(
      elements(shape) === data.length,
      `tensor "${key}": ${data.length} values do not fill ${showShape(shape)}`,
    );
    const [dtype] = Object.entries(ARRAYS).find(([, kind]) => data instanceof kind) ?? [];
    const begin = end;
    end += data.byteLength;
    entries.push(
      `${JSON.stringify(key)}:{"dtype":"${dtype}","shape":[${shape.join(',')}],"data_offsets":[${begin},${end}]}`,
    );
  }
  const text = new TextEncoder().encode(`{${entries.join(',')}}`);
  const headerBytes = Math.ceil(text.length / 8) * 8;
  assert(headerBytes <= MAX_HEADER_BYTES, `a header of ${headerBytes} bytes could not be read back`);
  assert(LITTLE_ENDIAN, 'this processor is big-endian');

  const bytes = new Uint8Array(8 + headerBytes + end);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(headerBytes), true);
  bytes.fill(0x20, 8, 8 + headerBytes);
  bytes.set(text, 8);
  let offset = 8 + headerBytes;
  for (const { data } of tensors.values()) {
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), offset);
    offset += data.byteLength;
  }
  return bytes;
}
