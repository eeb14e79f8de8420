import { expect, test } from 'vitest';
import { variantName } from './variant-name.ts';

test.each([
  ['8x64 8x8 unstaged, 1 a sum', '8x64 8x8 unstaged, 1 thread per sum'],
  ['8x64 8x8 unstaged, 16 a sum', '8x64 8x8 unstaged, 16 threads per sum'],
  ['64x64x16 8x4, 1 images at a time', '64x64x16 8x4, 1 image at a time'],
  ['21 filters at a time, 1 images at a time', '21 filters at a time, 1 image at a time'],
  ['1 filters at a time', '1 filter at a time'],
  ['one thread per output', 'one thread per output'],
])('%s', (launch, shown) => {
  expect(variantName(launch)).toBe(shown);
});
