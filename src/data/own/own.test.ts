import { describe, expect, test } from 'vitest';
import { Random } from '../../base/random.ts';
import { assembleDataset } from '../load.ts';
import { makeOwnDataset, type OwnOptions } from './make.ts';
import type { OwnFile } from './open.ts';
import { resized, upright, type Picture } from '../../base/pixels/resize.ts';

describe('resizing', () => {
  const picture = (width: number, height: number, level: (x: number, y: number) => number[]): Picture => ({
    width,
    height,
    data: Uint8Array.from(
      Array.from({ length: width * height }, (_, i) => level(i % width, Math.floor(i / width))).flat(),
    ),
  });

  test('is the mean of each pixel’s area, by channel', () => {
    const noise = new Random(1);
    const levels = Array.from({ length: 6 * 6 * 3 }, () => noise.below(256));
    const six = picture(6, 6, (x, y) => [...levels.slice(3 * (6 * y + x), 3 * (6 * y + x) + 3), 255]);
    const mean = (c: number, x: number, y: number) => {
      let sum = 0;
      for (let i = 0; i < 9; i++) sum += levels[3 * (6 * (3 * y + Math.floor(i / 3)) + 3 * x + (i % 3)) + c];
      return Math.round(sum / 9);
    };
    expect([...resized(six, [3, 2, 2])]).toEqual(
      [0, 1, 2].flatMap((c) => [mean(c, 0, 0), mean(c, 1, 0), mean(c, 0, 1), mean(c, 1, 1)]),
    );
  });

  test('shares a pixel between those that it overlaps', () => {
    // Three columns of 0, 90 and 240 in two: a half of the middle one each.
    const three = picture(3, 3, (x) => [[0, 90, 240][x], 0, 0, 255]);
    expect([...resized(three, [3, 2, 2])].slice(0, 4)).toEqual([30, 190, 30, 190]);
  });

  test('takes the central square, and enlarges', () => {
    const wide = picture(5, 1, (x) => [10 * x, 20 * x, 30 * x, 255]);
    expect([...resized(wide, [3, 2, 2])]).toEqual([20, 20, 20, 20, 40, 40, 40, 40, 60, 60, 60, 60]);
  });

  // The corners as displayed, from the top left along the rows, of a picture stored as a b / c d.
  test.each([
    [1, 'abcd'],
    [2, 'badc'],
    [3, 'dcba'],
    [4, 'cdab'],
    [5, 'acbd'],
    [6, 'cadb'],
    [7, 'dbca'],
    [8, 'bdac'],
  ])('orientation %i shows %s', (orientation, seen) => {
    const stored = picture(
      2,
      3,
      (x, y) => [...'ab__cd'].map((letter) => [letter.charCodeAt(0), 0, 0, 255])[2 * y + x],
    );
    const { width, height, data } = upright(stored, orientation);
    expect([width, height]).toEqual(orientation < 5 ? [2, 3] : [3, 2]);
    const corners = [0, width - 1, (height - 1) * width, height * width - 1];
    expect(String.fromCharCode(...corners.map((at) => data[4 * at]))).toBe(seen);
  });

  test('grey weighs colours, and transparency is blended with white', () => {
    const colours = picture(
      2,
      2,
      (x, y) =>
        [
          [255, 0, 0],
          [0, 255, 0],
          [0, 0, 255],
          [9, 9, 9],
        ].map((c, i) => [...c, i === 3 ? 0 : 255])[2 * y + x],
    );
    expect([...resized(colours, [1, 2, 2])]).toEqual([76, 150, 29, 255]);
  });
});

describe('a set of own pictures', () => {
  /** A PNG's first bytes; the decoder below needs no more. The last byte is the picture's level. */
  const png = (level: number, side = 8) =>
    Uint8Array.from([
      ...[0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52],
      ...[0, 0, side >> 8, side & 255, 0, 0, side >> 8, side & 255, level],
    ]);
  const decode: OwnOptions['decode'] = (bytes) => {
    const level = bytes[bytes.length - 1];
    if (level === 13) throw new Error('bad luck');
    return {
      width: 8,
      height: 8,
      data: new Uint8Array(256).fill(level).map((v, i) => (i % 4 === 3 ? 255 : v)),
    };
  };
  const file = (path: string, bytes: Uint8Array): OwnFile => ({
    path,
    bytes: bytes.length,
    read: () => Promise.resolve(bytes),
  });
  const files = [
    ...Array.from({ length: 20 }, (_, i) => file(`a/${i}.png`, png(20 + i))),
    ...Array.from({ length: 7 }, (_, i) => file(`b/${i}.png`, png(100 + i))),
  ];
  const options = { from: 'pets', shape: [1, 4, 4], decode };

  test('a random fifth of each class, from the seed, is for testing', async () => {
    const own = await makeOwnDataset(files, options);
    const set = await assembleDataset(own.info, own.files);
    const levels = (split = set.train) =>
      Array.from({ length: split.count }, (_, i) => [split.labels[i], split.images[16 * i]]);
    const testing = levels(set.test);
    expect(testing.map(([label]) => label).toSorted()).toEqual([0, 0, 0, 0, 1]);
    expect(
      new Set(
        levels()
          .slice(0, 12)
          .map(([label]) => label),
      ).size,
    ).toBe(2);
    expect([...levels(), ...testing].toSorted(([, a], [, b]) => a - b)).toEqual([
      ...Array.from({ length: 20 }, (_, i) => [0, 20 + i]),
      ...Array.from({ length: 7 }, (_, i) => [1, 100 + i]),
    ]);
    expect(own).toMatchObject({
      info: { classes: ['a', 'b'], counts: { train: 22, test: 5 }, shape: [1, 4, 4] },
      counts: [20, 7],
      skipped: [],
    });
    const again = await makeOwnDataset(files.toReversed(), options);
    expect(again).toEqual(own);
    const other = await makeOwnDataset(files, { ...options, seed: 2 });
    expect(other.files).not.toEqual(own.files);
  });

  test('mean and deviation are those of the training images', async () => {
    const own = await makeOwnDataset(files, options);
    const { train } = await assembleDataset(own.info, own.files);
    const pixels = [...train.images].map((byte) => byte / 255);
    const mean = pixels.reduce((a, b) => a + b) / pixels.length;
    const variance = pixels.reduce((sum, v) => sum + (v - mean) ** 2, 0) / pixels.length;
    expect(own.info.mean[0]).toBeCloseTo(mean, 4);
    expect(own.info.std[0]).toBeCloseTo(Math.sqrt(variance), 4);
    const plain = await makeOwnDataset(
      files.map(({ path }) => file(path, png(50))),
      options,
    );
    expect(plain.info.std).toEqual([1]);
  });

  test('unreadable files are skipped and reported', async () => {
    const odd = [
      file('a/13.png', png(13)),
      file('b/gif.png', Uint8Array.of(71, 73, 70)),
      file('b/huge.png', png(1, 9000)),
      file('b/none.png', png(1, 0)),
      { ...file('b/long.png', png(1)), bytes: 2 ** 26 + 1 },
      file('c/alone.png', png(1)),
    ];
    const own = await makeOwnDataset([...files, ...odd], options);
    expect(own.info.classes).toEqual(['a', 'b']);
    expect(Object.fromEntries(own.skipped.map(({ path, reason }) => [path, reason]))).toEqual({
      'a/13.png': 'cannot be decoded (bad luck)',
      'b/gif.png': 'is not a picture that can be read',
      'b/huge.png': 'has 9000 x 9000 pixels; at most 64 million are read',
      'b/none.png': 'has 0 x 0 pixels',
      'b/long.png': 'has 67108865 bytes; at most 67108864 are read',
      'c/': 'has fewer than two images (one to train on, one to test on)',
    });
  });

  test('no image can be read', async () => {
    const bad = files.map(({ path }) => file(path, png(13)));
    await expect(makeOwnDataset(bad, options)).rejects.toThrow(
      /0 of 2 are left, as a\/0.png: cannot be decoded/,
    );
  });

  test('it reports its progress, and can be cancelled', async () => {
    const controller = new AbortController();
    const reported: number[] = [];
    const work = makeOwnDataset(files, {
      ...options,
      signal: controller.signal,
      onProgress: (done, total) => {
        reported.push(done, total);
        if (done === 5) controller.abort();
      },
    });
    await expect(work).rejects.toMatchObject({ code: 'cancelled' });
    expect(reported.slice(-2)).toEqual([5, 27]);
  });
});
