/** A plane of numbers, `width` to a row. */
export interface Plane {
  data: ArrayLike<number>;
  width: number;
  height: number;
}

/**
 * The mean over a rectangle; pixels cut by its edge count by the share inside, and beyond the plane there is nothing.
 * @param x of its corner, in pixels
 */
export function meanOver(
  { data, width, height }: Plane,
  [x, y, across, down]: readonly [x: number, y: number, across: number, down: number],
): number {
  let sum = 0;
  const lastRow = Math.min(height, Math.ceil(y + down));
  const lastColumn = Math.min(width, Math.ceil(x + across));
  for (let row = Math.max(0, Math.floor(y)); row < lastRow; row++) {
    const part = Math.min(row + 1, y + down) - Math.max(row, y);
    for (let column = Math.max(0, Math.floor(x)); column < lastColumn; column++) {
      sum += data[row * width + column] * part * (Math.min(column + 1, x + across) - Math.max(column, x));
    }
  }
  return sum / (across * down);
}

/** The plane with other sizes: each pixel is the mean of what it covers. Bytes. */
export function resized(plane: Plane, height: number, width: number): Uint8Array {
  const across = plane.width / width;
  const down = plane.height / height;
  return Uint8Array.from({ length: height * width }, (_, i) => {
    const corner = [(i % width) * across, Math.floor(i / width) * down] as const;
    return Math.round(meanOver(plane, [...corner, across, down]));
  });
}
