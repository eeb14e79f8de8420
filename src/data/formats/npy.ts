/** NumPy's arrays (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html). An .npz file is a zip of them. */
import { ByteReader } from '../../base/bytes.ts';
import { elements, showShape } from '../../base/shape.ts';

/** Numbers, or texts such as names of classes. */
export type NpyValues = ArrayLike<number> | readonly string[];

export interface NpyHeader {
  shape: number[];
  /** NumPy's description of an element, such as "<f4". */
  type: string;
  /** Where the elements begin, and the bytes of one. */
  start: number;
  size: number;
}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** The longest header: a dict of three short values, padded. */
export const MAX_NPY_HEADER = 4096;
const MAX_DIMENSIONS = 5;

export const isNpy = (bytes: Uint8Array): boolean => MAGIC.every((byte, i) => bytes[i] === byte);

/** @param bytes at least the first `MAX_NPY_HEADER` of the file. @throws Failure `bad-file` */
export function readNpyHeader(name: string, bytes: Uint8Array): NpyHeader {
  const file = new ByteReader(name, bytes);
  if (!isNpy(bytes)) throw file.bad('expected an array of NumPy');
  file.take(MAGIC.length, 'the signature');
  const version = file.u8('a version');
  file.take(1, 'a version');
  if (version < 1 || version > 3) throw file.bad(`expected version 1 to 3, found ${version}`, 6);
  const length =
    version === 1 ? file.u16le('the length of the header') : file.u32le('the length of the header');
  if (length > MAX_NPY_HEADER - 12) throw file.bad(`expected a short header, found ${length} bytes`, 8);
  const at = file.offset;
  const text = new TextDecoder().decode(file.take(length, 'the header'));
  const value = (key: string, form: RegExp) => new RegExp(`'${key}': *${form.source}`).exec(text)?.[1];
  const type = value('descr', /'([^']{2,20})'/);
  const sizes = value('shape', /\(([\d, ]*)\)/);
  if (type === undefined || sizes === undefined)
    throw file.bad('expected a header with the type of plain numbers and their sizes', at);
  const size = sizeOf(type);
  if (size === undefined)
    throw file.bad(
      type.includes('O')
        ? 'the array contains objects of Python, which would have to be run'
        : `expected numbers or text, found elements of type ${type}`,
      at,
    );
  if (value('fortran_order', /(True|False)/) !== 'False')
    throw file.bad('expected rows to be stored one after the other: save it by numpy.ascontiguousarray', at);
  const shape = sizes
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(Number);
  if (shape.includes(0)) throw file.bad(`expected elements, found the sizes ${showShape(shape)}`, at);
  if (shape.length > MAX_DIMENSIONS || !Number.isSafeInteger(elements(shape) * size))
    throw file.bad(`the sizes ${showShape(shape)} are more than any file has`, at);
  return { shape, type, start: file.offset, size };
}

/** Bytes of an element; undefined for what is not read. */
function sizeOf(type: string): number | undefined {
  const [, kind, digits] = /^[<>|=]([biufU])(\d{1,4})$/.exec(type) ?? [];
  const size = Number(digits);
  if (kind === 'U') return 4 * size || undefined;
  const sizes = { b: [1], i: [1, 2, 4, 8], u: [1, 2, 4, 8], f: [4, 8] }[kind ?? ''];
  return sizes?.includes(size) === true ? size : undefined;
}

/**
 * @param bytes the file, or its beginning
 * @param rows how many of the first dimension are read; by default all
 * @throws Failure `bad-file` with the byte of what is wrong
 */
export function readNpy(
  name: string,
  bytes: Uint8Array,
  rows?: number,
): { shape: number[]; data: NpyValues } {
  const { shape: whole, type, start, size } = readNpyHeader(name, bytes);
  const shape =
    rows === undefined ? whole : whole.map((length, i) => (i === 0 ? Math.min(length, rows) : length));
  const file = new ByteReader(name, bytes);
  file.offset = start;
  const count = elements(shape);
  const data = file.take(count * size, `elements for the sizes ${showShape(shape)}`);
  if (type.endsWith('b1') || type.endsWith('u1')) return { shape, data };
  return { shape, data: valuesOf(data, type, count, size) };
}

function valuesOf(data: Uint8Array, type: string, count: number, size: number): NpyValues {
  const little = type[0] !== '>';
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (type[1] === 'U') {
    const letter = (at: number) => String.fromCodePoint(Math.min(view.getUint32(at, little), 0x10ffff));
    return Array.from({ length: count }, (_, i) =>
      Array.from({ length: size / 4 }, (_letter, k) => letter(i * size + 4 * k))
        .join('')
        .replace(/\0+$/, ''),
    );
  }
  const read: Record<string, (at: number) => number> = {
    i1: (at) => view.getInt8(at),
    i2: (at) => view.getInt16(at, little),
    i4: (at) => view.getInt32(at, little),
    i8: (at) => Number(view.getBigInt64(at, little)),
    u2: (at) => view.getUint16(at, little),
    u4: (at) => view.getUint32(at, little),
    u8: (at) => Number(view.getBigUint64(at, little)),
    f4: (at) => view.getFloat32(at, little),
    f8: (at) => view.getFloat64(at, little),
  };
  const one = read[type.slice(1)];
  const values = size > 4 ? new Float64Array(count) : new Float32Array(count);
  for (let i = 0; i < count; i++) values[i] = one(i * size);
  return values;
}
