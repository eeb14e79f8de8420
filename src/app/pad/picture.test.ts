import { expect, test } from 'vitest';
import { resized } from '../../base/area.ts';
import { groundOf, imageOfPicture, type PadPicture } from './picture.ts';

/** A square picture from a colour for each pixel. */
function picture(side: number, colour: (x: number, y: number) => readonly number[]): PadPicture {
  const rgba = new Uint8ClampedArray(4 * side * side);
  for (let i = 0; i < side * side; i++) {
    const [red, green, blue, opacity = 255] = colour(i % side, Math.floor(i / side));
    rgba.set([red, green, blue, opacity], 4 * i);
  }
  return { rgba, width: side, height: side };
}

const colour = { shape: [3, 4, 4], digits: false };
const grey = { shape: [1, 4, 4], digits: false };
const digits = { shape: [1, 28, 28], digits: true };

test('a pixel is the mean of the area that it covers', () => {
  const data = Uint8Array.from({ length: 36 }, (_, i) => (i % 6 < 3 ? 0 : 200));
  expect([...resized({ data, width: 6, height: 6 }, 2, 2)]).toEqual([0, 200, 0, 200]);
  expect([...resized({ data, width: 6, height: 6 }, 1, 4)]).toEqual([0, 0, 200, 200]);
  expect([...resized({ data, width: 6, height: 6 }, 1, 1)]).toEqual([100]);
  expect([...resized({ data: [10, 30], width: 2, height: 1 }, 2, 4)]).toEqual([
    10, 10, 30, 30, 10, 10, 30, 30,
  ]);
});

test('colour channels do not change; transparency becomes white', () => {
  const { image, ground } = imageOfPicture(
    picture(8, (x) => (x < 4 ? [255, 0, 40] : [0, 0, 0, 0])),
    colour,
  );
  expect(ground).toBeUndefined();
  expect([...image.slice(0, 4)]).toEqual([255, 255, 255, 255]);
  expect([...image.slice(16, 20)]).toEqual([0, 0, 255, 255]);
  expect([...image.slice(32, 36)]).toEqual([40, 40, 255, 255]);
});

test('grey pictures become bright on black, on any background', () => {
  const spot = (ink: number, paper: number) =>
    picture(8, (x, y) => Array<number>(3).fill(x > 1 && x < 6 && y > 1 && y < 6 ? ink : paper));
  const light = imageOfPicture(spot(0, 255), grey);
  const dark = imageOfPicture(spot(255, 0), grey);
  expect(light.ground).toBe('light');
  expect(dark.ground).toBe('dark');
  expect(light.image).toEqual(dark.image);
  expect([...light.image]).toEqual([0, 0, 0, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 0, 0, 0]);
  expect(groundOf(Float32Array.of(200), 1, 1)).toBe('light');
});

test('a digit on uneven paper is found, and stays where it is', () => {
  // A bar of ink off the centre, on paper between 190 and 230.
  const photo = picture(112, (x, y) => {
    const ink = x >= 20 && x < 28 && y >= 12 && y < 52;
    return Array<number>(3).fill(ink ? 40 : 190 + ((x * 7 + y * 3) % 40));
  });
  const { image, ground } = imageOfPicture(photo, digits);
  expect(ground).toBe('light');
  const expected = new Uint8Array(28 * 28);
  for (let row = 3; row < 13; row++) expected.fill(255, row * 28 + 5, row * 28 + 7);
  expect(image).toEqual(expected);
  // A blank sheet has no digit.
  expect(
    imageOfPicture(
      picture(50, () => [240, 240, 240]),
      digits,
    ).image.every((v) => v === 0),
  ).toBe(true);
});
