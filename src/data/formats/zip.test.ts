import { describe, expect, test } from 'vitest';
import { Random } from '../../base/random.ts';
import { Failure } from '../../base/result.ts';
import { zip64Archive, zipOf, type ZipMember } from '../testing.ts';
import { crc32, isZip, readZip } from './zip.ts';

const LIMITS = { files: 100, bytes: 1 << 20 };
const text = (words: string) => new TextEncoder().encode(words);
const read = (bytes: Uint8Array) => readZip('a.zip', bytes, LIMITS);

const members: ZipMember[] = [
  { path: 'pets/', data: new Uint8Array() },
  { path: 'pets/cats/1.png', data: text('a cat') },
  { path: 'pets/dogs/1.png', data: text('a dog, '.repeat(1000)), deflate: true },
  { path: 'pets/Bären/ä.png', data: new Uint8Array() },
];

test('files come with their paths and contents, folders do not', async () => {
  const files = read(zipOf(members, 'a comment'));
  expect(files.map(({ path, bytes }) => [path, bytes])).toEqual([
    ['pets/cats/1.png', 5],
    ['pets/dogs/1.png', 7000],
    ['pets/Bären/ä.png', 0],
  ]);
  expect(await Promise.all(files.map((file) => file.read()))).toEqual(
    members.slice(1).map(({ data }) => data),
  );
});

/** `python -m zipfile -c`, of a folder with one file: 500 bytes, the squares of their indices modulo 7. */
const PYTHON =
  'UEsDBBQAAAAAAOeUdV0AAAAAAAAAAAAAAAADAAAAaW4vUEsDBBQAAAAIAOeUdV1MpotgDgAAAPQBAAAIAAAAaW4veC5wbmdjYGRhYmJhZBilRg4FAFBLAQIUAxQAAAAAAOeUdV0AAAAAAAAAAAAAAAADAAAAAAAAAAAAEADtQQAAAABpbi9QSwECFAMUAAAACADnlHVdTKaLYA4AAAD0AQAACAAAAAAAAAAAAAAApIEhAAAAaW4veC5wbmdQSwUGAAAAAAIAAgBnAAAAVQAAAAAA';

test('an archive written by Python', async () => {
  const files = read(Uint8Array.from(atob(PYTHON), (character) => character.charCodeAt(0)));
  expect(files.map(({ path }) => path)).toEqual(['in/x.png']);
  expect(await files[0].read()).toEqual(Uint8Array.from({ length: 500 }, (_, i) => (i * i) % 7));
});

test('a zip64 archive written by Python to a pipe: all sizes elsewhere, and again behind each file', async () => {
  const files = read(zip64Archive());
  expect(files.map(({ path, bytes }) => [path, bytes])).toEqual([
    ['in/x.png', 500],
    ['in/y.png', 500],
  ]);
  for (const file of files)
    expect(await file.read()).toEqual(Uint8Array.from({ length: 500 }, (_, i) => (i * i) % 7));
});

test('the CRC has the known value', () => {
  expect(crc32(text('123456789'))).toBe(0xcbf43926);
});

test('recognises zip files', () => {
  expect([isZip(zipOf(members)), isZip(zipOf([])), isZip(text('PK')), isZip(text('GIF89a'))]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(read(zipOf([]))).toEqual([]);
});

const one = (change: Partial<ZipMember>): Uint8Array =>
  zipOf([
    { path: 'a/1.png', data: text('an image') },
    { path: 'b/2.png', data: text('another'), ...change },
  ]);

describe('refused immediately', () => {
  test.each([
    ['a path that leads out', one({ path: 'b/../../../etc/passwd' }), /plain names.*passwd/],
    ['a path from the root', one({ path: '/etc/passwd' }), /plain names/],
    ['a path with a drive', one({ path: 'C:\\windows\\x.png' }), /plain names/],
    ['a path with backslashes', one({ path: '..\\x.png' }), /plain names/],
    ['a path with a zero', one({ path: 'x\0.png' }), /plain names/],
    [
      'more than its bytes can hold',
      one({ says: { unpacked: 9000 } }),
      /9000 bytes unpacked, more than 7 can/,
    ],
    ['a file within another', one({ says: { local: 3 } }), /shares bytes with another file/],
    ['a file behind the end', one({ says: { local: 60 } }), /lies outside of the archive's files/],
    [
      'sizes that are nowhere',
      one({ says: { local: 0xffffffff } }),
      /the sizes of b\/2.png in its extra field/,
    ],
    ['a zip64 archive of many files', zip64Archive({ count: 101 }), /100 files, found 101/],
    ['a zip64 archive of none of its files', zip64Archive({ at: 1 }), /the end of a zip64 archive/],
    ['a huge file', one({ says: { packed: 4e9, unpacked: 4e9 } }), /at most 1048576 bytes unpacked/],
    ['no archive', text('PK\x03\x04 and nothing'.repeat(9)), /its end is missing/],
    ['a part of one', zipOf(members).slice(0, -5), /its end is missing/],
    ['a cut directory', zipOf(members).slice(60), /expected the directory before its end/],
    [
      'too many files',
      zipOf(Array.from({ length: 101 }, (_, i) => ({ path: `${i}`, data: text('') }))),
      /100 files, found 101/,
    ],
  ])('%s', (_, bytes, message) => {
    expect(() => read(bytes)).toThrow(message);
    expect(() => read(bytes)).toThrow(Failure);
  });

  test.each([['an encrypted file', one({ says: { flags: 0x801 } }), /b\/2.png is encrypted/]])(
    '%s, with an explanation',
    (_, bytes, message) => {
      expect(() => read(bytes)).toThrow(expect.objectContaining({ code: 'unsupported' }) as Error);
      expect(() => read(bytes)).toThrow(message);
    },
  );
});

describe('refused when it is read', () => {
  const data = text('another image '.repeat(50));
  test.each([
    ['a wrong checksum', one({ says: { crc: 7 } }), /is damaged: expected the checksum 00000007, found/],
    ['a method that is not read', one({ says: { method: 12 } }), /expected method 0 .* found 12/],
    [
      'less than it says',
      one({ data, deflate: true, says: { unpacked: 701 } }),
      /says it holds 701 bytes unpacked, but 700/,
    ],
    [
      'more than it says',
      one({ data, deflate: true, says: { unpacked: 600 } }),
      /600 bytes unpacked, but there are more/,
    ],
    ['stored bytes of another length', one({ says: { unpacked: 600 } }), /7 stored bytes are 600/],
    ['data that is not packed', one({ says: { method: 8 } }), /damaged or cut off/],
  ])('%s', async (_, bytes, message) => {
    const [, file] = read(bytes);
    await expect(file.read()).rejects.toThrow(message);
    await expect(file.read()).rejects.toMatchObject({ code: 'bad-file' });
  });
});

test('any altered archive is read, or refused with the place', async () => {
  const random = new Random(1, 'mutations');
  const whole = zipOf(members);
  let refused = 0;
  for (let i = 0; i < 400; i++) {
    const bytes = whole.slice(0, random.below(20) === 0 ? random.below(whole.length) : undefined);
    for (let k = random.below(3); k >= 0 && bytes.length > 0; k--)
      bytes[random.below(bytes.length)] = random.below(256);
    try {
      for (const file of read(bytes)) await file.read();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(100);
});
