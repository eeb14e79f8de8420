import { expect, test } from 'vitest';
import { asDrawn } from './ink.ts';

const SHAPE = [1, 28, 28];
/** A bright bar in an image with a speck. */
function bar(left: number, top: number, width: number, height: number, speck = 0): Uint8Array {
  const image = new Uint8Array(28 * 28);
  for (let y = top; y < top + height; y++) image.fill(200, y * 28 + left, y * 28 + left + width);
  image[28 * 27 + 1] = speck;
  return image;
}
const rowsOf = (image: Uint8Array) =>
  [...Array(28).keys()].filter((y) => image.subarray(28 * y, 28 * y + 28).some((value) => value > 0));

test('a digit off the centre becomes as the pad would draw it, without dust', () => {
  const drawn = asDrawn(bar(3, 2, 3, 15, 40), SHAPE);
  expect(rowsOf(drawn)).toEqual(Array.from({ length: 20 }, (_, i) => i + 4));
  expect(Math.max(...drawn)).toBe(255);
});

test('one that is centred does not change, nor do images of another size', () => {
  const centred = bar(12, 4, 4, 20);
  expect(asDrawn(centred, SHAPE)).toBe(centred);
  const other = new Uint8Array(3 * 32 * 32).fill(9);
  expect(asDrawn(other, [3, 32, 32])).toBe(other);
});
