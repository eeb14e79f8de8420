import { expect, test } from 'vitest';
import { readingsOfPictures } from '../../data/own/folders.ts';
import { filesOf, obstacleToUse, type OwnClass } from './own-classes.ts';

const pictures = (count: number) => Array.from({ length: count }, (_, i) => new File([], `${i}.png`));
const of = (name: string, count: number): OwnClass => ({ id: name, name, pictures: pictures(count) });

test.each([
  ['no pictures', [of('a', 0), of('b', 0)], /at least two classes/],
  ['one class', [of('a', 9), of('b', 0)], /at least two classes/],
  ['a single picture', [of('a', 9), of('b', 1)], /^b needs at least 2 pictures/],
  ['a class without a name', [of('a', 2), of(' ', 2)], /Name each class/],
  ['two classes of one name', [of('a', 2), of('a ', 2)], /Two classes are named a/],
  ['two classes, and an empty one', [of('a', 2), of('b', 2), of('b', 0)], undefined],
])('%s', (_, classes, expected) => {
  const obstacle = obstacleToUse(classes);
  if (expected) expect(obstacle).toMatch(expected);
  else expect(obstacle).toBe(undefined);
});

test('their files are sorted into the same classes', () => {
  const files = filesOf([of('Rock / stone', 3), of('Paper', 2)]);
  const found = files.map(({ path }) => ({ path, bytes: 1, read: () => Promise.resolve(new Uint8Array()) }));
  const { readings, loose } = readingsOfPictures(found, new Map());
  expect(readings.map(({ parts }) => parts[0].samples.map(({ label }) => label))).toEqual([
    ['Paper', 'Paper', 'Rock - stone', 'Rock - stone', 'Rock - stone'],
  ]);
  expect(loose).toEqual([]);
});
