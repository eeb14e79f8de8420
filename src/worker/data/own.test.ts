import { expect, test } from 'vitest';
import { foundIn, preparedFile } from './own.ts';

test('a picture that browsers would decode for minutes is not given to them', async () => {
  const frame = [0xff, 0xc2, 0, 11, 8, 7, 208, 7, 208, 1, 1, 0x11, 0];
  const scans = Array.from({ length: 600 }, () => [0xff, 0xda, 0, 2]).flat();
  const file = new Blob([Uint8Array.from([0xff, 0xd8, ...frame, ...scans])]);
  await expect(preparedFile(file, { shape: [1, 28, 28] })).rejects.toMatchObject({
    code: 'bad-file',
    message: 'has 2000 x 2000 pixels in 600 scans; photos have about ten',
  });
});

test('what files contain is shown before they are used; where labels may come from two places, the person is asked', async () => {
  const given = (path: string) => ({ path, file: new File([], path) });
  const files = ['cat', 'dog'].flatMap((a) => ['in', 'out'].map((b) => given(`${a}/${b}/1.png`)));
  const { readings, isQuestion } = await foundIn({ files, from: 'pets' });
  expect(isQuestion).toBe(true);
  expect(readings.map(({ id, classes, parts }) => [id, classes, parts[0].images])).toEqual([
    ['outer-folders', ['cat', 'dog'], [2, 2]],
    ['inner-folders', ['in', 'out'], [2, 2]],
  ]);
  expect((await foundIn({ files, from: 'pets', labels: 'inner-folders' })).isQuestion).toBe(false);
});
