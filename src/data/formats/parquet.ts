/**
 * Parquet (https://parquet.apache.org/docs/file-format/): columns of numbers and bytes that do not repeat, as Hugging Face has
 * pictures and labels. Written here because readers in general trust a file's counts, and a small one could fill the memory.
 */
import { ByteReader } from '../../base/bytes.ts';
import { Failure } from '../../base/result.ts';
import { gunzip } from './gzip.ts';
import { unsnap } from './snappy.ts';
import { readStruct, varint, type ThriftStruct, type ThriftValue } from './thrift.ts';

/** Whole numbers, bytes, or null for what is missing. */
export type ParquetValues = (number | Uint8Array | null)[];

export interface ParquetColumn {
  /** Names from outer to inner: image, bytes. */
  path: readonly string[];
  kind: 'integer' | 'bytes' | 'other';
  /** All rows. @throws Failure `bad-file` with the byte of what is wrong, `unsupported` for other codings */
  read(): Promise<ParquetValues>;
}

export interface ParquetFile {
  rows: number;
  /** Of a plain row: lists have none. */
  columns: ParquetColumn[];
  /** Texts that a writer added, by key. */
  metadata: ReadonlyMap<string, string>;
}

const MAGIC = [0x50, 0x41, 0x52, 0x31];
const TAIL_BYTES = 8;
const MAX_ROWS = 1_000_000;
const MAX_FOOTER = 2 ** 24;
const MAX_COLUMNS = 1000;
/** What the pages of a column may have unpacked: pictures do not shrink, and numbers of classes are few. */
const roomFor = (fileBytes: number): number => 2 ** 26 + 16 * fileBytes;
const [INT32, INT64, BYTE_ARRAY] = [1, 2, 6];
const CODECS = ['none', 'Snappy', 'gzip', 'LZO', 'Brotli', 'LZ4', 'Zstandard', 'LZ4'];
const [PLAIN, PLAIN_DICTIONARY, RLE_DICTIONARY] = [0, 2, 8];
const [DATA_PAGE, DICTIONARY_PAGE, DATA_PAGE_2] = [0, 2, 3];
const REPEATED = 2;

export const isParquet = (bytes: Uint8Array): boolean => MAGIC.every((byte, i) => bytes[i] === byte);

/** @throws Failure `bad-file` with the byte of what is wrong */
export function readParquet(name: string, bytes: Uint8Array): ParquetFile {
  const file = new ByteReader(name, bytes);
  const end = bytes.length - TAIL_BYTES;
  if (end < MAGIC.length || !isParquet(bytes) || !isParquet(bytes.subarray(-MAGIC.length)))
    throw file.bad('expected a Parquet file: its end is missing, so it may be cut off', bytes.length);
  file.offset = end;
  const length = file.u32le('the length of the footer');
  if (length > Math.min(end, MAX_FOOTER))
    throw file.bad(`expected a footer of at most ${Math.min(end, MAX_FOOTER)} bytes, found ${length}`, end);
  file.offset = end - length;
  const footer = readStruct(file);
  const rows = numberAt(footer, 3);
  if (!(rows >= 0 && rows <= MAX_ROWS))
    throw file.bad(`expected at most ${MAX_ROWS} rows, found ${rows}`, end);
  const groups = structsAt(footer, 4);
  const leaves = leavesOf(file, structsAt(footer, 2).map(fieldsOf));
  const texts = structsAt(footer, 5).map((pair) => [textAt(pair, 1), textAt(pair, 2)] as const);
  return {
    rows,
    columns: leaves.map((leaf) => ({ ...leaf, read: () => readColumn(name, bytes, { rows, groups, leaf }) })),
    metadata: new Map(texts),
  };
}

const numberAt = (fields: ThriftStruct, field: number, missing = NaN): number => {
  const value = fields.get(field);
  return typeof value === 'number' ? value : missing;
};
const structAt = (fields: ThriftStruct, field: number): ThriftStruct => {
  const value = fields.get(field);
  return value instanceof Map ? value : new Map();
};
const listAt = (fields: ThriftStruct, field: number): readonly ThriftValue[] => {
  const value = fields.get(field);
  return Array.isArray(value) ? value : [];
};
const structsAt = (fields: ThriftStruct, field: number): ThriftStruct[] =>
  listAt(fields, field).filter((value) => value instanceof Map);
const textOf = (value: ThriftValue | undefined): string =>
  value instanceof Uint8Array ? new TextDecoder().decode(value) : '';
const textAt = (fields: ThriftStruct, field: number): string => textOf(fields.get(field));

interface SchemaField {
  name: string;
  type: number;
  repetition: number;
  children: number;
}

const fieldsOf = (fields: ThriftStruct): SchemaField => ({
  type: numberAt(fields, 1, -1),
  repetition: numberAt(fields, 3, 0),
  name: textAt(fields, 4),
  children: numberAt(fields, 5, 0),
});

interface Leaf extends Pick<ParquetColumn, 'path' | 'kind'> {
  type: number;
  /** How many of the path's parts may be missing. */
  optional: number;
}

/** The columns of a schema, which lists each group before what is in it. */
function leavesOf(file: ByteReader, [root, ...fields]: readonly SchemaField[]): Leaf[] {
  if (!root || fields.length > MAX_COLUMNS)
    throw file.bad(`expected a schema of at most ${MAX_COLUMNS} columns, found ${fields.length}`);
  const leaves: Leaf[] = [];
  let at = 0;
  const take = (count: number, path: readonly string[], optional: number, repeats: boolean): void => {
    for (let i = 0; i < count; i++) {
      const field = fields[at++] as SchemaField | undefined;
      if (!field || path.length > 16) throw file.bad('expected a schema with as many columns as it says');
      const { name, type, children, repetition } = field;
      const inner = [
        [...path, name],
        optional + (repetition > 0 ? 1 : 0),
        repeats || repetition === REPEATED,
      ] as const;
      if (children > 0) take(children, ...inner);
      else if (!inner[2])
        leaves.push({
          path: inner[0],
          optional: inner[1],
          type,
          kind: type === BYTE_ARRAY ? 'bytes' : type === INT32 || type === INT64 ? 'integer' : 'other',
        });
    }
  };
  take(root.children, [], 0, false);
  return leaves;
}

interface ColumnPlace {
  rows: number;
  groups: readonly ThriftStruct[];
  leaf: Leaf;
}

async function readColumn(
  name: string,
  bytes: Uint8Array,
  { rows, groups, leaf }: ColumnPlace,
): Promise<ParquetValues> {
  const values: ParquetValues = [];
  const path = leaf.path.join('.');
  let free = 0;
  const room = { bytes: roomFor(bytes.length) };
  for (const group of groups) {
    const chunk = structsAt(group, 1)
      .map((one) => structAt(one, 3))
      .find((one) => listAt(one, 3).map(textOf).join('.') === path);
    if (!chunk) throw new Failure('bad-file', `${name}: expected the column ${path} in each group of rows`);
    const [data, dictionary] = [numberAt(chunk, 9), numberAt(chunk, 11, 0)];
    const start = dictionary > 0 && dictionary < data ? dictionary : data;
    const length = numberAt(chunk, 7);
    // Groups that share bytes would take far more time than the file is long.
    if (!(start >= free && length >= 0 && start + length <= bytes.length))
      throw new Failure(
        'bad-file',
        `${name}: expected the column ${path} in bytes of its own, found it at byte ${start}`,
      );
    free = start + length;
    const file = new ByteReader(name, bytes.subarray(0, start + length));
    file.offset = start;
    await readChunk(file, {
      leaf,
      codec: numberAt(chunk, 4),
      end: values.length + numberAt(chunk, 5),
      rows,
      values,
      room,
    });
  }
  if (values.length !== rows)
    throw new Failure('bad-file', `${name}: expected ${rows} values of ${path}, found ${values.length}`);
  return values;
}

interface Chunk {
  leaf: Leaf;
  codec: number;
  /** How many values there are then. */
  end: number;
  rows: number;
  values: ParquetValues;
  /** What is left of what pages may unpack to. */
  room: { bytes: number };
}

/** The pages of a column in one group of rows. */
async function readChunk(file: ByteReader, { leaf, codec, end, rows, values, room }: Chunk): Promise<void> {
  const { optional, type } = leaf;
  let dictionary: ParquetValues = [];
  while (values.length < end) {
    const at = file.offset;
    const page = readStruct(file);
    const [kind, size] = [numberAt(page, 1), numberAt(page, 2)];
    const second = kind === DATA_PAGE_2;
    const head = structAt(page, second ? 8 : kind === DATA_PAGE ? 5 : 7);
    const stored = file.take(numberAt(page, 3), 'a page');
    const count = numberAt(head, 1);
    if (!(size >= 0 && size <= room.bytes && count >= 0 && count <= rows))
      throw file.bad(`expected a page of at most ${rows} values, found ${count} in ${size} bytes`, at);
    room.bytes -= size;
    if (kind === DICTIONARY_PAGE) {
      const unpacked = new ByteReader(file.name, await bodyOf(file, codec, stored, size));
      dictionary = plain(unpacked, type, count);
      continue;
    }
    if (kind !== DATA_PAGE && !second) continue;
    if (count > rows - values.length) throw file.bad(`expected ${rows} rows, found more`, at);
    // The second version's levels lie before what is packed.
    const levelBytes = second ? numberAt(head, 5, 0) : 0;
    if (!(levelBytes >= 0 && levelBytes <= Math.min(stored.length, size)))
      throw file.bad('expected levels within their page', at);
    const isPacked = !second || head.get(7) !== false;
    const body = await bodyOf(file, isPacked ? codec : 0, stored.subarray(levelBytes), size - levelBytes);
    const reader = new ByteReader(file.name, body);
    let levels: Uint16Array | undefined;
    if (optional > 0) {
      const inFront = second
        ? stored.subarray(0, levelBytes)
        : reader.take(reader.u32le('the length of levels'), 'levels');
      levels = hybrid(new ByteReader(file.name, inFront), bitsOf(optional), count);
    }
    const there = levels ? levels.reduce((sum, level) => sum + (level === optional ? 1 : 0), 0) : count;
    const found = valuesIn(reader, { encoding: numberAt(head, second ? 4 : 2), type, there, dictionary });
    let next = 0;
    for (let i = 0; i < count; i++) values.push(levels && levels[i] !== optional ? null : found[next++]);
  }
}

const bitsOf = (most: number): number => Math.ceil(Math.log2(most + 1));

async function bodyOf(
  file: ByteReader,
  codec: number,
  stored: Uint8Array,
  size: number,
): Promise<Uint8Array> {
  if (codec === 0) return stored;
  if (codec === 1) return size === 0 ? stored : unsnap(file.name, stored, size);
  if (codec === 2) return gunzip(file.name, stored, size);
  throw new Failure(
    'unsupported',
    `${file.name} is packed by ${CODECS[codec] ?? `method ${codec}`}; expected Snappy, gzip or none`,
    'Save it by to_parquet(..., compression="snappy").',
  );
}

interface Coded {
  encoding: number;
  type: number;
  /** How many values. */
  there: number;
  dictionary: ParquetValues;
}

function valuesIn(reader: ByteReader, { encoding, type, there, dictionary }: Coded): ParquetValues {
  if (encoding === PLAIN) return plain(reader, type, there);
  if (encoding !== PLAIN_DICTIONARY && encoding !== RLE_DICTIONARY)
    throw new Failure(
      'unsupported',
      `${reader.name}: expected values that are plain or in a dictionary, found coding ${encoding}`,
      'Save it by to_parquet of pandas or datasets.',
    );
  if (there === 0) return [];
  const bits = reader.u8('the width of numbers');
  if (bits > 16) throw reader.bad(`expected numbers of at most 16 bits, found ${bits}`);
  return Array.from(hybrid(reader, bits, there), (at) => {
    if (at >= dictionary.length)
      throw reader.bad(`expected a number below ${dictionary.length}, found ${at}`);
    return dictionary[at];
  });
}

function plain(reader: ByteReader, type: number, count: number): ParquetValues {
  const one: Readonly<Record<number, () => number | Uint8Array>> = {
    [INT32]: () => reader.u32le('a number') | 0,
    [INT64]: () => {
      const [low, high] = [reader.u32le('a number'), reader.u32le('a number') | 0];
      return high * 2 ** 32 + low;
    },
    [BYTE_ARRAY]: () => reader.take(reader.u32le('a length'), 'bytes'),
  };
  const read = one[type] as (() => number | Uint8Array) | undefined;
  if (!read) throw reader.bad(`expected whole numbers or bytes, found type ${type}`);
  return Array.from({ length: count }, read);
}

/** Runs of one number, and groups of eight whose bits lie one after the other. */
function hybrid(reader: ByteReader, bits: number, count: number): Uint16Array {
  const values = new Uint16Array(count);
  for (let at = 0; at < count;) {
    const head = varint(reader);
    if (head % 2 === 0) {
      const value = reader
        .take(Math.ceil(bits / 8), 'a number')
        .reduce((sum, byte, i) => sum + byte * 256 ** i, 0);
      const next = at + head / 2;
      if (head === 0) throw reader.bad('expected a run of at least one value');
      values.fill(value, at, next);
      at = next;
      continue;
    }
    // Of the last group, what is left may be missing.
    const groups = Math.min((head - 1) / 2, Math.ceil((count - at) / 8));
    if (groups === 0) throw reader.bad('expected at least eight values');
    const packed = reader.take(Math.min(groups * bits, reader.remaining), 'numbers');
    for (let i = 0; i < 8 * groups && at < count; i++) {
      let value = 0;
      for (let bit = 0; bit < bits; bit++) {
        const place = i * bits + bit;
        value |= (((packed[place >> 3] ?? 0) >> (place & 7)) & 1) << bit;
      }
      values[at++] = value;
    }
  }
  return values;
}
