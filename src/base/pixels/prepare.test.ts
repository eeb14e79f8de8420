import { describe, expect, test } from 'vitest';
import { Random } from '../random.ts';
import { resized as resizedPlane } from './area.ts';
import { commonGround, groundOf } from './ground.ts';
import { prepare } from './prepare.ts';
import type { Picture } from './resize.ts';

/** A square picture from a colour for each pixel. */
function picture(side: number, colour: (x: number, y: number) => readonly number[]): Picture {
  const data = new Uint8ClampedArray(4 * side * side);
  for (let i = 0; i < side * side; i++) {
    const [red, green, blue, opacity = 255] = colour(i % side, Math.floor(i / side));
    data.set([red, green, blue, opacity], 4 * i);
  }
  return { data, width: side, height: side };
}
const grey = (side: number, level: (x: number, y: number) => number) =>
  picture(side, (x, y) => Array<number>(3).fill(level(x, y)));

const dark = { shape: [1, 28, 28], ground: 'dark' } as const;
const light = { shape: [1, 28, 28], ground: 'light' } as const;
const digits = { ...dark, fitted: true };
/** An object with a soft edge, off the centre. */
const blob = (x: number, y: number) =>
  Math.max(0, Math.min(255, Math.round(600 - 80 * Math.hypot(x - 12, y - 15))));

test('a pixel is the mean of the area that it covers', () => {
  const data = Uint8Array.from({ length: 36 }, (_, i) => (i % 6 < 3 ? 0 : 200));
  expect([...resizedPlane({ data, width: 6, height: 6 }, 2, 2)]).toEqual([0, 200, 0, 200]);
  expect([...resizedPlane({ data, width: 6, height: 6 }, 1, 4)]).toEqual([0, 0, 200, 200]);
  expect([...resizedPlane({ data, width: 6, height: 6 }, 1, 1)]).toEqual([100]);
  expect([...resizedPlane({ data: [10, 30], width: 2, height: 1 }, 2, 4)]).toEqual([
    10, 10, 30, 30, 10, 10, 30, 30,
  ]);
});

test('colours do not change; transparency becomes white', () => {
  const half = picture(8, (x) => (x < 4 ? [255, 0, 40] : [0, 0, 0, 0]));
  const { image, isTurned } = prepare(half, { shape: [3, 4, 4] });
  expect(isTurned).toBe(false);
  expect([...image.slice(0, 4)]).toEqual([255, 255, 255, 255]);
  expect([...image.slice(16, 20)]).toEqual([0, 0, 255, 255]);
  expect([...image.slice(32, 36)]).toEqual([40, 40, 255, 255]);
  expect([...prepare(half, { shape: [3, 4, 4] }, 'invert').image.slice(32, 36)]).toEqual([215, 215, 0, 0]);
});

describe('a grey picture', () => {
  const own = Uint8Array.from({ length: 784 }, (_, i) => blob(i % 28, Math.floor(i / 28)));
  const negative = own.map((level) => 255 - level);

  test('on its own ground is left as it is, to the byte', () => {
    expect(prepare(grey(28, blob), dark)).toEqual({ image: own, isTurned: false });
    expect(
      prepare(
        grey(28, (x, y) => 255 - blob(x, y)),
        light,
      ),
    ).toEqual({ image: negative, isTurned: false });
    // Also where the data set has none.
    expect(
      prepare(
        grey(28, (x, y) => 255 - blob(x, y)),
        { shape: [1, 28, 28] },
      ),
    ).toEqual({ image: negative, isTurned: false });
  });

  test('on the other one is its negative, to the byte', () => {
    expect(
      prepare(
        grey(28, (x, y) => 255 - blob(x, y)),
        dark,
      ),
    ).toEqual({ image: own, isTurned: true });
    expect(
      prepare(
        grey(28, (x, y) => 255 - blob(x, y)),
        digits,
      ),
    ).toEqual({ image: own, isTurned: true });
    expect(prepare(grey(28, blob), light)).toEqual({ image: negative, isTurned: true });
  });

  test('is turned, or not, as a person chooses', () => {
    expect(
      prepare(
        grey(28, (x, y) => 255 - blob(x, y)),
        digits,
        'keep',
      ),
    ).toEqual({ image: negative, isTurned: false });
    expect(prepare(grey(28, blob), dark, 'invert')).toEqual({ image: negative, isTurned: true });
  });

  test.each([
    ['of the network’s size', 28],
    ['larger', 112],
  ])('on paper with a slope of light and noise is as if on black, %s', (_, side) => {
    const random = new Random(1, 'paper');
    const scale = 28 / side;
    const paper = grey(side, (x, y) => {
      const level = 190 + (65 * (x + y)) / (2 * side - 2);
      const noisy = level * (1 - blob(x * scale, y * scale) / 255) + 4 * random.normal();
      return Math.max(0, Math.min(255, Math.round(noisy)));
    });
    const { image, isTurned } = prepare(paper, dark);
    expect(isTurned).toBe(true);
    const error = image.reduce((sum, level, i) => sum + Math.abs(level - own[i]), 0) / 784;
    expect(error).toBeLessThan(6);
    // The paper is black again.
    const edge = [...image.subarray(0, 28), ...image.subarray(756)];
    expect(edge.filter((level) => level > 12).length).toBeLessThan(4);
  });
});

test('a digit on uneven paper is found, and fitted as MNIST’s are', () => {
  // A bar of ink off the centre, on paper between 190 and 230.
  const photo = grey(112, (x, y) =>
    x >= 20 && x < 28 && y >= 12 && y < 52 ? 40 : 190 + ((x * 7 + y * 3) % 40),
  );
  const { image, isTurned } = prepare(photo, digits);
  expect(isTurned).toBe(true);
  const expected = new Uint8Array(28 * 28);
  // Twenty high, in the middle.
  for (let row = 4; row < 24; row++) expected.fill(255, row * 28 + 12, row * 28 + 16);
  expect(image).toEqual(expected);
  // A blank sheet has no digit.
  expect(
    prepare(
      grey(50, () => 240),
      digits,
    ).image.every((value) => value === 0),
  ).toBe(true);
});

test('a data set has the ground that nine of ten images have', () => {
  const spot = (ink: number, paper: number) =>
    Uint8Array.from({ length: 64 }, (_, i) => ([27, 28, 35, 36].includes(i) ? ink : paper));
  const mixed = (dark_: number) =>
    Array.from({ length: 10 }, (_, i) => (i < dark_ ? spot(200, 10) : spot(10, 240)));
  expect([10, 9, 8, 1, 0].map((count) => commonGround(mixed(count), [1, 8, 8]))).toEqual([
    'dark',
    'dark',
    undefined,
    'light',
    'light',
  ]);
  expect(commonGround(mixed(10), [3, 8, 8])).toBeUndefined();
  const halves = Uint8Array.from({ length: 64 }, (_, i) => (i % 8 < 4 ? 0 : 255));
  expect(groundOf(halves, 8, 8)).toBeUndefined();
});
