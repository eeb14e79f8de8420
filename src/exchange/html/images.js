// @ts-check
/**
 * From what is drawn or chosen to a network's image, as wgrad's own page does it (src/app/pad, src/data/own/resize.ts). It is
 * plain JavaScript without imports because its text is part of the exported page.
 *
 * @typedef {{ data: ArrayLike<number>, width: number, height: number }} Plane
 */

/**
 * The mean over a rectangle; pixels cut by its edge count by the share inside, and beyond the plane there is nothing.
 * @param {Plane} plane
 * @param {number} x
 * @param {number} y
 * @param {number} across
 * @param {number} down
 */
function meanOver({ data, width, height }, x, y, across, down) {
  let sum = 0;
  for (let row = Math.max(0, Math.floor(y)); row < Math.min(height, Math.ceil(y + down)); row++) {
    const part = Math.min(row + 1, y + down) - Math.max(row, y);
    for (let column = Math.max(0, Math.floor(x)); column < Math.min(width, Math.ceil(x + across)); column++)
      sum += data[row * width + column] * part * (Math.min(column + 1, x + across) - Math.max(column, x));
  }
  return sum / (across * down);
}

/**
 * The plane with other sizes: each pixel is the mean of what it covers.
 * @param {Plane} plane
 * @param {number} height
 * @param {number} width
 */
export function resized(plane, height, width) {
  const [across, down] = [plane.width / width, plane.height / height];
  return Uint8Array.from({ length: height * width }, (_, i) =>
    Math.round(meanOver(plane, (i % width) * across, Math.floor(i / width) * down, across, down)),
  );
}

/**
 * A drawing as MNIST's digits are: fitted into 20 x 20, its centre of mass at the centre of 28 x 28.
 * @param {Uint8Array} ink size x size bytes, 0 for paper to 255 for ink
 * @param {number} size
 * @returns {Uint8Array | undefined} 28 x 28 bytes; undefined if there is no ink
 */
export function normalisedDigit(ink, size) {
  let [left, top, right, bottom] = [size, size, 0, 0];
  let [mass, massX, massY] = [0, 0, 0];
  ink.forEach((value, i) => {
    if (value === 0) return;
    const [x, y] = [i % size, Math.floor(i / size)];
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + 1);
    bottom = Math.max(bottom, y + 1);
    mass += value;
    massX += value * (x + 0.5);
    massY += value * (y + 0.5);
  });
  if (mass === 0) return undefined;
  const scale = Math.max(right - left, bottom - top) / 20;
  const [x, y] = [massX / mass - 14 * scale, massY / mass - 14 * scale];
  const plane = { data: ink, width: size, height: size };
  return Uint8Array.from({ length: 784 }, (_, i) =>
    Math.round(meanOver(plane, x + (i % 28) * scale, y + Math.floor(i / 28) * scale, scale, scale)),
  );
}

/**
 * A square picture as an image of colours.
 * @param {Uint8ClampedArray} rgba side x side pixels
 * @param {number} side
 * @param {number[]} shape [3, H, W]
 */
export function colourImage(rgba, side, [channels, height, width]) {
  const image = new Uint8Array(channels * height * width);
  for (let channel = 0; channel < channels; channel++) {
    const data = Float32Array.from({ length: side * side }, (_, i) => {
      const opacity = rgba[4 * i + 3] / 255;
      return rgba[4 * i + channel] * opacity + 255 * (1 - opacity);
    });
    image.set(resized({ data, width: side, height: side }, height, width), channel * height * width);
  }
  return image;
}
