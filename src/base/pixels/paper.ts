/** Grey images on the other ground, as digits on paper are for a network that knows white ones on black. */
import { edgeOf, type Ground } from './ground.ts';

export const otherGround = (ground: Ground): Ground => (ground === 'dark' ? 'light' : 'dark');

/** Bytes so near to black or white are that: such a ground is left as it is. */
const PURE = 8;
/** The ground's noise, in its standard deviations, that is not part of the object. */
const NOISE = 3;
/** The strongest pixels of an object may be outliers: its strength is that of the pixel at this share from the top. */
const STRONGEST = 0.005;

/**
 * A grey image on the other ground. One on black or white is its negative, exactly. On paper, the light falls unevenly: what
 * differs from a plane through the edge's levels is the object, whose contrast becomes that of the data set's images.
 * @param from its ground now
 */
export function turned(
  grey: Uint8Array,
  width: number,
  height: number,
  from: Ground,
): Uint8Array<ArrayBuffer> {
  const edge = edgeOf(width, height);
  const isPure = edge.every((i) => (from === 'light' ? grey[i] >= 255 - PURE : grey[i] <= PURE));
  if (isPure) return Uint8Array.from(grey, (level) => 255 - level);
  const contrast = contrastOf(grey, width, height, from);
  return from === 'light' ? contrast : contrast.map((level) => 255 - level);
}

/** How much each pixel differs from the ground, 0 to 255 for the strongest. */
export function contrastOf(
  grey: ArrayLike<number>,
  width: number,
  height: number,
  ground: Ground,
): Uint8Array<ArrayBuffer> {
  const { levelAt, deviation } = planeOf(grey, width, height, edgeOf(width, height));
  const sign = ground === 'light' ? -1 : 1;
  const difference = Float32Array.from({ length: width * height }, (_, i) =>
    Math.max(0, sign * (grey[i] - levelAt(i)) - NOISE * deviation),
  );
  const strongest = difference.toSorted()[Math.floor((1 - STRONGEST) * (difference.length - 1))];
  return Uint8Array.from(difference, (value) =>
    strongest > 0 ? Math.min(255, (255 * value) / strongest) : 0,
  );
}

/** A plane through the levels along the edge, and how far they lie from it: least squares, twice, the second time without outliers. */
function planeOf(grey: ArrayLike<number>, width: number, height: number, edge: readonly number[]) {
  const [middleX, middleY] = [(width - 1) / 2, (height - 1) / 2];
  const placeOf = (i: number) => [(i % width) - middleX, Math.floor(i / width) - middleY];
  let kept = [...edge];
  // An object at the edge is far from the median.
  const levels = edge.map((i) => grey[i]).sort((a, b) => a - b);
  let [level, across, down] = [levels[levels.length >> 1], 0, 0];
  const levelAt = (i: number) => {
    const [x, y] = placeOf(i);
    return level + across * x + down * y;
  };
  let deviation = 0;
  for (let pass = 0; pass < 3; pass++) {
    let [n, sum, sx, sy, sxx, syy, sxy, sxv, syv] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
    for (const i of kept) {
      const [x, y] = placeOf(i);
      n++;
      sum += grey[i];
      sx += x;
      sy += y;
      sxx += x * x;
      syy += y * y;
      sxy += x * y;
      sxv += x * grey[i];
      syv += y * grey[i];
    }
    [level, across, down] = solved([
      [n, sx, sy, sum],
      [sx, sxx, sxy, sxv],
      [sy, sxy, syy, syv],
    ]) ?? [level, across, down];
    const distances = edge.map((i) => Math.abs(grey[i] - levelAt(i))).sort((a, b) => a - b);
    // Half of all lie within this share of the standard deviation, if they are noise.
    deviation = distances[distances.length >> 1] / 0.6745;
    kept = edge.filter((i) => Math.abs(grey[i] - levelAt(i)) <= 3 * deviation + 1);
  }
  return { levelAt, deviation };
}

/** Three linear equations, each with its right side last; undefined if they do not determine the unknowns. */
function solved(rows: number[][]): [number, number, number] | undefined {
  for (let k = 0; k < 3; k++) {
    const pivot = rows.slice(k).reduce((a, b) => (Math.abs(b[k]) > Math.abs(a[k]) ? b : a));
    if (Math.abs(pivot[k]) < 1e-9) return undefined;
    rows.splice(rows.indexOf(pivot), 1);
    rows.splice(k, 0, pivot);
    for (const row of rows) {
      if (row === pivot) continue;
      const share = row[k] / pivot[k];
      for (let c = k; c < 4; c++) row[c] -= share * pivot[c];
    }
  }
  return [rows[0][3] / rows[0][0], rows[1][3] / rows[1][1], rows[2][3] / rows[2][2]];
}
