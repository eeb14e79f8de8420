import { meanOver } from './area.ts';

/** Side of the network's image, and of the box that the drawing is fitted into: those of MNIST. */
const SIDE = 28;
const BOX = 20;

/**
 * Brings a drawing into the form that MNIST's digits have: its ink fitted into 20x20 with its proportions kept, and its
 * centre of mass at the centre of 28x28. Each pixel is the mean of the ink that it covers.
 * Source: http://yann.lecun.com/exdb/mnist (the data set's own description).
 *
 * @param ink size x size bytes, 0 for paper to 255 for ink
 * @returns 28 x 28 bytes, or undefined if there is no ink
 */
export function normaliseDrawing(ink: Uint8Array, size: number): Uint8Array | undefined {
  let [left, top, right, bottom] = [size, size, 0, 0];
  let [mass, massX, massY] = [0, 0, 0];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const value = ink[y * size + x];
      if (value === 0) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y + 1);
      mass += value;
      massX += value * (x + 0.5);
      massY += value * (y + 0.5);
    }
  }
  if (mass === 0) return undefined;

  // One pixel of the network's image covers `scale` x `scale` of the drawing.
  const scale = Math.max(right - left, bottom - top) / BOX;
  const originX = massX / mass - (SIDE / 2) * scale;
  const originY = massY / mass - (SIDE / 2) * scale;
  const sheet = { data: ink, width: size, height: size };
  const image = new Uint8Array(SIDE * SIDE);
  for (let row = 0; row < SIDE; row++) {
    for (let column = 0; column < SIDE; column++) {
      const corner = [originX + column * scale, originY + row * scale] as const;
      image[row * SIDE + column] = Math.round(meanOver(sheet, [...corner, scale, scale]));
    }
  }
  return image;
}
