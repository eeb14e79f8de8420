import { expect, test } from 'vitest';
import { covered, drawnUnits, layersToCome, pictureOf, valueAt, type NetworkPicture } from './picture.ts';

/** "conv1 conv 6x28x28", with parameters if there is a fourth word. */
const network = (inputShape: number[], ...lines: string[]) =>
  layersToCome({
    inputShape,
    layers: lines.map((line) => {
      const [name, op, shape, parameters] = line.split(' ');
      const outputShape = shape.split('x').map(Number);
      return { name, op, title: op, outputShape, parameters: parameters === undefined ? 0 : 1 };
    }),
  });

const lenet = network(
  [1, 28, 28],
  'conv1 conv 6x28x28 p',
  'relu1 relu 6x28x28',
  'pool1 max_pool 6x14x14',
  'conv2 conv 16x10x10 p',
  'relu2 relu 16x10x10',
  'pool2 max_pool 16x5x5',
  'flatten flatten 400',
  'fc1 linear 120 p',
  'relu3 relu 120',
  'fc2 linear 84 p',
  'relu4 relu 84',
  'fc3 linear 10 p',
);

const ROOM = { width: 790, height: 366 };

const rects = ({ columns }: NetworkPicture) =>
  columns.flatMap((column) => [...column.tiles, ...column.filters].map((rect) => ({ ...rect, column })));

/** Nothing sticks out, and nothing lies on anything else. */
function expectApart(picture: NetworkPicture) {
  const all = rects(picture);
  for (const { x, y, width, height } of all) {
    expect(x).toBeGreaterThanOrEqual(0);
    expect(y).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(picture.width);
    expect(y + height).toBeLessThanOrEqual(picture.height);
  }
  all.forEach((a, i) => {
    const hit = all
      .slice(i + 1)
      .find(
        (b) =>
          a.x < b.x + b.width - 1e-6 &&
          b.x < a.x + a.width - 1e-6 &&
          a.y < b.y + b.height - 1e-6 &&
          b.y < a.y + a.height - 1e-6,
      );
    expect(hit, `${a.column.name} over ${hit?.column.name}`).toBeUndefined();
  });
}

test('every layer that computes something has a column, and the last one has the classes', () => {
  const { columns } = pictureOf(lenet, ROOM, 10);
  expect(columns.map(({ kind, name, layer, tiles }) => [kind, name, layer.name, tiles.length])).toEqual([
    ['image', '', 'input', 1],
    ['maps', 'conv1', 'conv1', 6],
    ['maps', 'pool1', 'pool1', 6],
    ['maps', 'conv2', 'conv2', 16],
    ['maps', 'pool2', 'pool2', 16],
    ['values', 'fc1', 'relu3', expect.any(Number)],
    ['values', 'fc2', 'relu4', expect.any(Number)],
    ['answer', 'fc3', 'fc3', 10],
  ]);
});

test.each([
  [390, 300],
  [790, 366],
  [790, 260],
  [1100, 520],
  [2000, 900],
])('in %i x %i nothing overlaps or sticks out', (width, height) => {
  expectApart(pictureOf(lenet, { width, height }, 10));
});

test('a larger window has larger maps, and a phone a wider picture', () => {
  const mapOf = (width: number, height: number) =>
    pictureOf(lenet, { width, height }, 10).columns[1].tiles[0].width;
  expect(mapOf(1100, 520)).toBeGreaterThan(1.25 * mapOf(790, 366));
  const phone = pictureOf(lenet, { width: 366, height: 300 }, 10);
  expect(phone.width).toBeGreaterThan(366);
  expect(phone.columns[1].tiles[0].width).toBeGreaterThan(30);
});

test('of a deep network the first convolution and the output of each stage are shown', () => {
  const block = (i: number, shape: string) => [`c${i} conv ${shape} p`, `r${i} relu ${shape}`];
  const deep = network(
    [3, 32, 32],
    ...[0, 1, 2, 3, 4].flatMap((i) => block(i, '16x32x32')),
    ...[5, 6, 7, 8].flatMap((i) => block(i, '32x16x16')),
    ...[9, 10, 11].flatMap((i) => block(i, '64x8x8')),
    'pool avg_pool 64x1x1',
    'flat flatten 64',
    'fc linear 10 p',
  );
  expect(drawnUnits(deep).map(({ name }) => name)).toEqual(['input', 'c0', 'c4', 'c8', 'c11', 'pool', 'fc']);
  expectApart(pictureOf(deep, ROOM, 10));
});

test('of many layers without maps the first and the last are shown, and how many are left out between', () => {
  const hidden = Array.from({ length: 10 }, (_, i) => [`fc${i} linear 32 p`, `relu${i} relu 32`]).flat();
  const deep = network([1, 28, 28], 'flat flatten 784', ...hidden, 'out linear 10 p');
  expect(drawnUnits(deep).map(({ name, skipped }) => [name, skipped])).toEqual([
    ['input', 0],
    ...['fc0', 'fc1', 'fc2', 'fc3'].map((name) => [name, 0]),
    ['fc7', 3],
    ...['fc8', 'fc9', 'out'].map((name) => [name, 0]),
  ]);
  const picture = pictureOf(deep, ROOM, 10);
  expectApart(picture);
  // Between them there is room to say so.
  const [before, after] = picture.columns.slice(4);
  expect(after.x - before.x - before.width).toBeGreaterThan(50);
});

test('long class names have more room than short ones', () => {
  const answerOf = (letters: number) => pictureOf(lenet, { ...ROOM, letters }, 10).columns.at(-1)!;
  expect(answerOf(8).width).toBeGreaterThan(answerOf(1).width + 30);
  expectApart(pictureOf(lenet, { ...ROOM, letters: 40 }, 10));
});

test('a value is found where it is drawn, and what it reads is marked', () => {
  const picture = pictureOf(lenet, ROOM, 10);
  const [image, conv1] = picture.columns;
  const { x, y, width, height } = conv1.tiles[4];
  expect(valueAt(picture, x + width - 1, y + height / 2 + 0.1)).toEqual({
    layer: 'conv1',
    k: 4,
    p: 14,
    q: 27,
  });
  expect(valueAt(picture, 0, 0)).toBeUndefined();
  const [only] = covered(image, { channels: [0, 3], rows: [0, 14], columns: [14, 28] });
  expect(only.x).toBeCloseTo(image.x + image.width / 2);
  expect(only.height).toBeCloseTo(image.height / 2);
});

test('sixteen maps fill whole rows', () => {
  for (const [width, height] of [
    [366, 300],
    [790, 366],
    [960, 395],
    [1360, 560],
  ]) {
    const { columns } = pictureOf(lenet, { width, height }, 10);
    for (const { name, tiles } of columns.filter(({ tiles: { length } }) => length === 16)) {
      const rows = new Map<number, number>();
      for (const { y } of tiles) rows.set(Math.round(y), (rows.get(Math.round(y)) ?? 0) + 1);
      expect(new Set(rows.values()).size, `${name} at ${width}`).toBe(1);
    }
  }
});
