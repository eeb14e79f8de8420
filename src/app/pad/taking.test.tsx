import { expect, test } from 'vitest';
import { DIGITS } from './target.ts';
import { takeFile } from './taking.ts';

const takes = (...bytes: number[]) =>
  takeFile(new Blob([Uint8Array.from(bytes)], { type: 'image/jpeg' }), DIGITS, 'a file');

test('a picture that browsers would decode for minutes is not given to them', async () => {
  const frame = [0xff, 0xc2, 0, 11, 8, 7, 208, 7, 208, 1, 1, 0x11, 0];
  const scans = Array.from({ length: 600 }, () => [0xff, 0xda, 0, 2]).flat();
  expect((await takes(0xff, 0xd8, ...frame, ...scans))?.message).toBe(
    'This image cannot be read. It has 2000 x 2000 pixels in 600 scans; photos have about ten.',
  );
});
