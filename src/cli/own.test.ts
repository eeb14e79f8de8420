import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PNG } from 'pngjs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { zipOf } from '../data/testing.ts';
import { datasetNames, readNamedDataset, titleOf } from './datasets.ts';
import { readOwnDataset } from './own.ts';
import { encodeJpeg } from './testing/jpeg.ts';

let root: string;
let notes: string[];
const note = (message: string) => notes.push(message);
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'wgrad-own-'));
  notes = [];
});
afterEach(() => rmSync(root, { recursive: true }));

/** A picture with a red left half and a uniform blue right half. */
function pixels(width: number, height: number, blue: number) {
  const data = Buffer.alloc(4 * width * height, 255);
  for (let i = 0; i < width * height; i++)
    data.set(2 * (i % width) < width ? [200, 0, 0] : [0, 0, blue], 4 * i);
  return { width, height, data };
}
const png = (width: number, height: number, blue: number): Uint8Array => {
  const { data } = pixels(width, height, blue);
  return PNG.sync.write(Object.assign(new PNG({ width, height }), { data }));
};
const jpeg = (width: number, height: number, blue: number): Promise<Uint8Array> =>
  encodeJpeg(pixels(width, height, blue), 95);

const pictures = new Map<string, Uint8Array>([
  ['red/a.png', png(48, 40, 0)],
  ['red/b.jpg', await jpeg(32, 32, 0)],
  ['red/c.png', png(16, 16, 0)],
  ['blue/d.JPEG', await jpeg(64, 32, 200)],
  ['blue/e.png', png(32, 32, 200)],
  ['blue/cut.png', png(32, 32, 200).slice(0, 60)],
  ['blue/notes.txt', new TextEncoder().encode('not a picture')],
]);

test('a folder of folders, with PNG and JPEG', async () => {
  for (const [path, bytes] of pictures) {
    mkdirSync(join(root, 'set', dirname(path)), { recursive: true });
    writeFileSync(join(root, 'set', path), bytes);
  }
  symlinkSync(root, join(root, 'set', 'loop'));
  const { info, dataset } = await readOwnDataset(join(root, 'set'), { shape: [3, 32, 32], note });
  expect(info).toMatchObject({ classes: ['blue', 'red'], counts: { train: 3, test: 2 }, shape: [3, 32, 32] });
  expect(notes[0]).toBe(
    'set: blue (2), red (3); labels from the names of folders; 3 training and 2 test images (a fifth of each class); ' +
      '32 x 32, in colour, to match the model input',
  );
  expect(
    notes
      .slice(1)
      .map((words) => words.replace(/\(.*\)/, '(...)'))
      .toSorted(),
  ).toEqual([
    'Skipped: blue/cut.png is damaged, byte 37: expected 78 bytes of a chunk, found 23 before the end of the file',
    'Skipped: blue/notes.txt is neither a picture nor an array of images',
  ]);
  const { images, labels, count } = dataset.train;
  for (let i = 0; i < count; i++) {
    const [left, right] = [5, 26].map((x) => [0, 1, 2].map((c) => images[3072 * i + 1024 * c + 16 * 32 + x]));
    const wanted = [
      [200, 0, 0],
      [0, 0, labels[i] === 0 ? 200 : 0],
    ];
    [left, right].forEach((found, side) =>
      found.forEach((value, c) => expect(Math.abs(value - wanted[side][c])).toBeLessThan(12)),
    );
  }
});

test('a zip of it gives the same set, and grey images if the network needs them', async () => {
  const path = join(root, 'set.zip');
  writeFileSync(
    path,
    zipOf([...pictures].map(([name, data]) => ({ path: `my set/${name}`, data, deflate: true }))),
  );
  const { info, dataset } = await readOwnDataset(path, { shape: [1, 28, 28], note });
  expect(info).toMatchObject({ classes: ['blue', 'red'], counts: { train: 3, test: 2 }, shape: [1, 28, 28] });
  expect(dataset.train.images).toHaveLength(3 * 784);
  expect(notes[0]).toMatch(/; 28 x 28, grey, to match the model input$/);
});

test('other files are refused', async () => {
  writeFileSync(join(root, 'x.zip'), 'no zip');
  await expect(readOwnDataset(join(root, 'x.zip'), { shape: [3, 32, 32], note })).rejects.toThrow(
    /x.zip is not a zip archive/,
  );
  await expect(readOwnDataset(join(root, 'nothing'), { shape: [3, 32, 32], note })).rejects.toMatchObject({
    code: 'not-found',
  });
  rmSync(join(root, 'x.zip'));
  await expect(readOwnDataset(root, { shape: [3, 32, 32], note })).rejects.toThrow(/found none/);
});

test("own is a data set's name if a folder is given", async () => {
  const path = join(root, 'set.zip');
  writeFileSync(path, zipOf([...pictures].map(([name, data]) => ({ path: name, data }))));
  const wanted = { shape: [3, 32, 32], note };
  const { info, dataset } = await readNamedDataset('own', { ...wanted, dataDir: path });
  expect([info.title, dataset.name, dataset.train.count]).toEqual(['Your images', 'own', 3]);
  expect(datasetNames()).toContain('shapes, own');
  expect([titleOf('own'), titleOf('mnist')]).toEqual(['your images', 'MNIST']);
  await expect(readNamedDataset('own', wanted)).rejects.toThrow(/--dataset own requires --data-dir/);
  await expect(readNamedDataset('mine', wanted)).rejects.toThrow(/no data set named "mine"/);
  const oblong = { ...wanted, dataDir: path, shape: [3, 28, 32] };
  await expect(readNamedDataset('own', oblong)).rejects.toThrow(/square images.*found 3 x 28 x 32/);
});
