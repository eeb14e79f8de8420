import { expect, test } from 'vitest';
import type { OwnFile } from './open.ts';
import { labelled, readPictures } from './pictures.ts';

const classes = ['cat', 'dog'];
const sorted = (...paths: string[]) =>
  labelled(
    'x',
    paths.map((path) => ({ path })),
    classes,
  ).map(({ file, label }) => [file.path, label]);

test('pictures come in the order of their paths, numbers by size', () => {
  expect(sorted('10.png', '9.png')).toEqual([
    ['9.png', undefined],
    ['10.png', undefined],
  ]);
});

test('the innermost folder named after a class is the label', () => {
  expect(sorted('pets/dog/big/1.png', 'pets/cat/2.png', 'dog/cat/3.png')).toEqual([
    ['dog/cat/3.png', 0],
    ['pets/cat/2.png', 0],
    ['pets/dog/big/1.png', 1],
  ]);
  // A file's own name is no folder.
  expect(sorted('birds/cat')).toEqual([['birds/cat', undefined]]);
});

test('some labels but not all are refused, and so is nothing', () => {
  expect(() => sorted('cat/1.png', 'cow/2.png')).toThrow(
    'x: expected every image in a folder named after its class, or none; cow/2.png is not',
  );
  expect(() => sorted()).toThrow('x: expected pictures, found none');
});

/** A PNG's first bytes; the decoder below needs no more. The last byte is the picture's level. */
const png = (level: number) =>
  Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52],
    ...[0, 0, 0, 2, 0, 0, 0, 2, level],
  ]);
const file = (path: string, bytes: Uint8Array): OwnFile => ({
  path,
  bytes: bytes.length,
  read: () => Promise.resolve(bytes),
});
const options = {
  from: 'pets',
  shape: [1, 1, 1],
  decode: (bytes: Uint8Array) => {
    const level = bytes[bytes.length - 1];
    if (level === 13) throw new Error('bad luck');
    return { width: 1, height: 1, data: Uint8Array.of(level, level, level, 255) };
  },
};

test('unreadable pictures are reported, other files ignored', async () => {
  const files = [
    file('dog/3.png', png(30)),
    file('dog/13.png', png(13)),
    file('cat/4.png', png(40)),
    file('readme.txt', Uint8Array.of(1)),
    file('dog/.hidden.png', png(1)),
  ];
  expect(await readPictures(files, classes, options)).toEqual({
    images: Uint8Array.of(40, 30),
    files: ['cat/4.png', 'dog/3.png'],
    labels: Uint8Array.of(0, 1),
    skipped: [{ path: 'dog/13.png', reason: 'cannot be decoded (bad luck)' }],
    turned: 0,
  });
  const { labels } = await readPictures([file('a.png', png(1))], classes, options);
  expect(labels).toBeUndefined();
  await expect(readPictures([file('a.png', png(13))], classes, options)).rejects.toThrow(
    'pets: no picture can be read; a.png cannot be decoded (bad luck)',
  );
  await expect(
    readPictures([file('a.png', png(1))], classes, { ...options, shape: [1, 2, 3] }),
  ).rejects.toThrow(/expected square images/);
});
