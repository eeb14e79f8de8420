import { expect, test } from 'vitest';
import { imageOfSheet, widthToFit } from './drawing.ts';

/** A sheet with a filled square of ink in the middle half, in one colour. */
function sheet(side: number, [red, green, blue]: readonly number[], paper = [0, 0, 0, 0]): Uint8ClampedArray {
  const rgba = new Uint8ClampedArray(4 * side * side);
  for (let i = 0; i < side * side; i++) {
    const inside = [i % side, Math.floor(i / side)].every((at) => at >= side / 4 && at < (3 * side) / 4);
    rgba.set(inside ? [red, green, blue, 255] : paper, 4 * i);
  }
  return rgba;
}

test('for digits, ink of any colour fills 20 rows around the centre', () => {
  const image = imageOfSheet(sheet(280, [0, 0, 0]), 280, { shape: [1, 28, 28], digits: true })!;
  expect([image[3 * 28 + 14], image[4 * 28 + 14], image[23 * 28 + 14], image[24 * 28 + 14]]).toEqual([
    0, 255, 255, 0,
  ]);
});

test('a blank sheet is not a digit', () => {
  const blank = new Uint8ClampedArray(4 * 28 * 28);
  expect(imageOfSheet(blank, 28, { shape: [1, 28, 28], digits: true })).toBeUndefined();
});

test('for grey images of another size, ink stays where it was drawn', () => {
  const image = imageOfSheet(sheet(40, [0, 0, 0]), 40, { shape: [1, 4, 4], digits: false });
  expect([...image!]).toEqual([0, 0, 0, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 0, 0, 0]);
});

test('for colour images, channels preserve ink and paper', () => {
  const image = imageOfSheet(sheet(8, [255, 0, 40], [10, 20, 30, 255]), 8, {
    shape: [3, 4, 4],
    digits: false,
  })!;
  expect([image[0], image[16], image[32]]).toEqual([10, 20, 30]);
  expect([image[5], image[21], image[37]]).toEqual([255, 0, 40]);
});

test('lines keep their width while a small drawing is enlarged; a dot keeps its size', () => {
  const seven = (side: number) => [{ points: [0.1, 0.1, 0.1 + side, 0.1, 0.1, 0.1 + side], colour: '#000' }];
  const enlarged = (side: number, brush: number) => {
    const width = widthToFit(seven(side), brush);
    return (width * (20 / 28)) / (side + width);
  };
  for (const side of [0.05, 0.15, 0.3]) expect(enlarged(side, 0.16)).toBeCloseTo(0.16);
  expect(widthToFit(seven(0.7), 0.16)).toBe(0.16);
  expect(widthToFit([{ points: [0.5, 0.5], colour: '#000' }], 0.16)).toBe(0.16);
});
