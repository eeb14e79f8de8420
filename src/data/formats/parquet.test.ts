import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ByteReader } from '../../base/bytes.ts';
import { isParquet, readParquet, type ParquetValues } from './parquet.ts';
import { unsnap } from './snappy.ts';
import { readStruct } from './thrift.ts';

const fixture = (name: string) => new Uint8Array(readFileSync(new URL(`fixtures/${name}`, import.meta.url)));

/** The bytes of pictures are named by the row that they were made for. */
const shown = (values: ParquetValues) =>
  values.map((value) =>
    value instanceof Uint8Array ? new TextDecoder().decode(value.subarray(0, 4)) : value,
  );

async function columnsOf(name: string) {
  const { rows, columns, metadata } = readParquet(name, fixture(name));
  const values = await Promise.all(
    columns.map(async ({ path, read }) => [path.join('.'), await read()] as const),
  );
  return { rows, metadata, ...Object.fromEntries(values) } as Record<string, ParquetValues> & {
    rows: number;
    metadata: ReadonlyMap<string, string>;
  };
}

test('columns in several groups, packed by Snappy, with a dictionary', async () => {
  expect(isParquet(fixture('pictures.parquet'))).toBe(true);
  const found = await columnsOf('pictures.parquet');
  expect(found.rows).toBe(7);
  expect(found['label']).toEqual([2, 0, 1, 0, 1, 2, 0]);
  expect(shown(found['image.path'])).toEqual([0, 1, 2, 3, 4, 5, 6].map((i) => `${i}.pn`));
  const pictures = found['image.bytes'] as Uint8Array[];
  expect(shown(pictures)).toEqual(Array(7).fill('\uFFFDPNG'));
  expect(new Set(pictures.map((bytes) => bytes.join())).size).toBe(7);
  expect(found.metadata.get('huggingface')).toContain('ClassLabel');
});

test('pages of the second version, packed by gzip, with values that are missing', async () => {
  const found = await columnsOf('other.parquet');
  expect(shown(found['picture.bytes'])).toEqual(
    [0, 1, 2, 3, 4, 5].map((i) => (i === 1 ? null : '\uFFFDPNG')),
  );
  expect(shown(found['category'])).toEqual(['cat', 'dog', 'cat', 'dog', 'cat', 'dog']);
  expect(found['label']).toEqual(Array(6).fill(-1));
  expect(found['index']).toEqual([0, 1, 2, 3, 4, 5]);
});

describe('Snappy', () => {
  test('literals and copies, also of what they write themselves', () => {
    // "abc", then nine bytes from three back.
    const packed = Uint8Array.of(12, 2 << 2, 97, 98, 99, (8 << 2) | 2, 3, 0);
    expect(new TextDecoder().decode(unsnap('file', packed, 12))).toBe('abcabcabcabc');
    expect(new TextDecoder().decode(unsnap('file', Uint8Array.of(7, 8, 97, 98, 99, 1, 3), 7))).toBe(
      'abcabca',
    );
    const long = Uint8Array.of(100, 60 << 2, 99, ...Array<number>(100).fill(7));
    expect(unsnap('file', long, 100)).toEqual(new Uint8Array(100).fill(7));
  });

  test.each([
    ['another length', [4, 8, 97, 98, 99], /expected 3 bytes/],
    ['less than it says', [3, 4, 97, 98], /3 bytes unpacked, found 2/],
    ['more than it says', [3, 12, 97, 98, 99, 100], /3 bytes unpacked, found more/],
    ['a copy from before the beginning', [3, 0, 97, (1 << 2) | 2, 2, 0], /distance of at most 1, found 2/],
    ['a literal beyond the end', [3, 8, 97], /bytes/],
  ])('%s is refused', (_, packed, message) => {
    expect(() => unsnap('file', Uint8Array.from(packed), 3)).toThrow(message);
  });

  test('a small file cannot ask for much memory', () => {
    expect(() => unsnap('file', Uint8Array.of(0x80, 0x80, 0x80, 0x80, 4, 0), 2 ** 30)).toThrow(/in 6 packed/);
  });
});

test.each([
  ['a list longer than the file', [0x19, 0xfc, 0xff, 0xff, 0x03], /expected a list in the file/],
  ['a number without end', [0x15, ...Array<number>(20).fill(0x80), 0], /at most ten bytes/],
  ['structs in structs', Array<number>(40).fill(0x1c), /at most 16 structs/],
  ['lists in lists', Array<number>(40).fill(0x19), /at most 16 structs and lists/],
  [
    'a list of empty structs',
    [0x19, 0xfc, 0x80, 0x89, 0x7a, ...Array<number>(2_000_000).fill(0)],
    /at most 200000 values/,
  ],
  ['a text longer than the file', [0x18, 0x7f, 1, 2], /127 bytes of a text/],
])('Thrift: %s is refused', (_, bytes, message) => {
  expect(() => readStruct(new ByteReader('file', Uint8Array.from(bytes)))).toThrow(message);
});

test('damaged files are refused with what is wrong', () => {
  const whole = fixture('pictures.parquet');
  expect(() => readParquet('a.parquet', whole.slice(0, -1))).toThrow(
    /^a.parquet, byte \d+: .*its end is missing/,
  );
  const long = whole.slice();
  long.fill(255, -8, -4);
  expect(() => readParquet('a.parquet', long)).toThrow(/expected a footer of at most/);
});
