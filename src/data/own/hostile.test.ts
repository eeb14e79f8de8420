/** Damaged arrays, tables, pickles and pictures: a value or a message with its place, soon, and in little memory. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { PNG } from 'pngjs';
import { count } from '../../base/testing/tier.ts';
import { mutate } from '../../base/testing/mutate.ts';
import { expectResultOrFailure } from '../../base/testing/mutated.ts';
import { pictureHeader, requireDecodable } from '../../base/picture.ts';
import { Failure } from '../../base/result.ts';
import { readBatchPickle } from '../formats/batch-pickle.ts';
import { readPixelTable, readTable } from '../formats/csv.ts';
import { writeIdx } from '../formats/idx.ts';
import { readNpy } from '../formats/npy.ts';
import { decodePng } from '../formats/png.ts';
import { readTar } from '../formats/tar.ts';
import { readZip } from '../formats/zip.ts';
import { tarOf, zip64Archive, zipOf } from '../testing.ts';
import { batchPickle, npyOf } from './testing.ts';
import { understand } from './understand.ts';

const bytes = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 7919) % 251);
const ascii = (text: string) => new TextEncoder().encode(text);

function png(): Uint8Array {
  const image = new PNG({ width: 9, height: 7 });
  image.data.set(bytes(image.data.length));
  return Uint8Array.from(PNG.sync.write(image));
}

const pixels = Array.from({ length: 4 }, (_, i) => [i % 2, ...bytes(100).map((v) => v % 200)].join(',')).join(
  '\n',
);

const CASES: Readonly<Record<string, { good: Uint8Array; read(file: Uint8Array): unknown }>> = {
  npy: { good: npyOf([4, 9, 9], bytes(324)), read: (file) => readNpy('file', file) },
  'npy of numbers': { good: npyOf([6], bytes(48), '<i8'), read: (file) => readNpy('file', file) },
  pixels: { good: ascii(pixels), read: (file) => readPixelTable('file', file) },
  table: { good: ascii('id,label\n1,"a, b"\n2,c\n'), read: (file) => readTable('file', file) },
  pickle: { good: batchPickle(3), read: (file) => readBatchPickle('file', file) },
  png: {
    good: png(),
    async read(file) {
      const header = pictureHeader('file', file);
      if (!header) throw new Failure('bad-file', 'file is no picture');
      requireDecodable(header, file.length);
      if (header.kind === 'PNG') return decodePng('file', file);
    },
  },
  npz: {
    good: zipOf([
      { path: 'x_train.npy', data: npyOf([8, 9, 9], bytes(648)), deflate: true },
      { path: 'y_train.npy', data: npyOf([8], Uint8Array.of(0, 1, 0, 1, 0, 1, 0, 1)), deflate: true },
    ]),
    read: understood,
  },
  'pictures in Parquet': {
    good: new Uint8Array(readFileSync(new URL('../formats/fixtures/pictures.parquet', import.meta.url))),
    read: understood,
  },
  'Parquet of the second version': {
    good: new Uint8Array(readFileSync(new URL('../formats/fixtures/other.parquet', import.meta.url))),
    read: understood,
  },
  zip64: {
    good: zip64Archive(),
    async read(file) {
      for (const one of readZip('file', file, { files: 9, bytes: 2 ** 16 })) await one.read();
    },
  },
  tar: {
    good: tarOf(['a.txt', 'b/c.txt'].map((name) => ({ name, data: bytes(700) }))),
    read: (file) => readTar('file', file),
  },
  'archive of archives': {
    good: Uint8Array.from(
      gzipSync(
        tarOf([
          { name: 'x_train.npy', data: npyOf([8, 9, 9], bytes(648)) },
          {
            name: 'in.zip',
            data: zipOf([
              {
                path: 'y_train.npy',
                data: npyOf(
                  [8],
                  bytes(8).map((v) => v % 2),
                ),
              },
            ]),
          },
          { name: 't10k-images', data: writeIdx([2, 9, 9], bytes(162)) },
        ]),
      ),
    ),
    read: understood,
  },
};

/** As a data set, with each of its images. */
async function understood(file: Uint8Array): Promise<void> {
  const { readings } = await understand('file', [
    { path: 'file', bytes: file.length, read: async (most) => file.subarray(0, most) },
  ]);
  for (const { parts } of readings)
    for (const { samples } of parts) for (const { source } of samples) if ('shape' in source) source.bytes();
}

test.each(Object.entries(CASES))(
  '%s: damaged, it gives a value or a message',
  async (kind, { good, read }) => {
    await expect(Promise.resolve(read(good))).resolves.not.toThrow();
    await expectResultOrFailure({
      kind,
      tries: count(25, 100, 2000),
      file: (random) => mutate(good, random),
      read,
      place: /^(file|has )/,
    });
  },
);

test('the python version of CIFAR, of both Pythons', () => {
  for (const python of [2, 3] as const) {
    const { arrays, names } = readBatchPickle('file', batchPickle(python));
    expect([...arrays].map(([key, { shape }]) => [key, shape])).toEqual([
      ['data', [2, 192]],
      ['labels', [2]],
    ]);
    expect(Array.from(arrays.get('data')?.data ?? [])).toEqual([...bytes(384)]);
    expect(names.get('label_names')).toEqual(['cat', 'dog']);
  }
});

test('a pickle that asks for more is refused', () => {
  const evil = ascii('\x80\x02cposix\nsystem\nU\x02lsR.'.replace('\x80', ''));
  expect(() => readBatchPickle('file', Uint8Array.of(0x80, ...evil))).toThrow(
    /names "posix.system".*nothing of a file is run/,
  );
});

test('a pickle that encodes one text again and again is refused', () => {
  const text = [0x58, 0, 16, 0, 0, ...Array<number>(4096).fill(97), 0x71, 0];
  const again = [...ascii('c_codecs\nencode\n'), 0x68, 0, 0x58, 6, 0, 0, 0, ...ascii('latin1'), 0x86, 0x52];
  const file = Uint8Array.of(0x80, 2, 0x5d, 0x28, ...text, ...again, ...again, ...again, 0x65, 0x2e);
  expect(() => readBatchPickle('file', file)).toThrow(/expected each text to be encoded once/);
});

test.each([
  ['no elements', [2 ** 50, 0], '|u1', /expected elements, found/],
  ['texts of no letters', [1e8], '<U0', /found elements of type <U0/],
])('an array of %s is refused', (_, shape, type, message) => {
  expect(() => readNpy('file', npyOf(shape, bytes(0), type))).toThrow(message);
});

test('a table of labels whose rows are longer than the first is refused', () => {
  expect(() => readTable('file', ascii(`id,label\n1,${','.repeat(1000)}\n`))).toThrow(/found more in row 2/);
  expect(() => readTable('file', ascii(','.repeat(5000)))).toThrow(/at most 4096 columns/);
});

describe('PNG', () => {
  test('as another decoder reads it, of all kinds it writes', async () => {
    for (const colorType of [0, 2, 4, 6] as const)
      for (const bitDepth of [8, 16] as const) {
        const image = new PNG({ width: 13, height: 5 });
        image.data.set(bytes(image.data.length));
        const file = PNG.sync.write(image, { colorType, bitDepth, inputHasAlpha: true });
        const expected = PNG.sync.read(file);
        const found = await decodePng('file', file);
        expect([found.width, found.height]).toEqual([13, 5]);
        expect([...found.data]).toEqual([...expected.data]);
        // Bytes after the end are ignored.
        expect((await decodePng('file', Uint8Array.of(...file, 1, 2, 3))).data).toEqual(found.data);
      }
  });
});
