/** Resizes pictures of any size to a network's images. */
import { assert } from '../assert.ts';
import type { Shape } from '../shape.ts';

/** A decoded picture: red, green, blue and opacity, a byte each, by rows. */
export interface Picture {
  width: number;
  height: number;
  data: Uint8Array | Uint8ClampedArray;
}

/** The weights of colours in grey: Rec. 601, as in most image libraries. */
const GREY = [0.299, 0.587, 0.114];

/**
 * The picture's centre in the image's proportions, averaged over the area of each pixel; transparent pixels are blended with white.
 * @param shape [C, H, W] with C of 1, for grey, or 3
 * @returns C x H x W bytes
 */
export function resized({ width, height, data }: Picture, [C, H, W]: Shape): Uint8Array {
  assert(C === 1 || C === 3, `no pictures are made of ${C} x ${H} x ${W}`);
  const part = Math.min(width / W, height / H);
  const [w, h] = [part * W, part * H];
  const [left, top] = [Math.floor((width - w) / 2), Math.floor((height - h) / 2)];
  const spans = spansOf(w, W);
  // Along rows first, then into the rows of the result that each row of the picture overlaps.
  const sums = new Float64Array(3 * H * W);
  const row = new Float64Array(3 * W);
  spansOf(h, H).forEach((down, y) => {
    for (const { at, weight: share } of down) {
      averageRow(data, 4 * ((top + at) * width + left), spans, row);
      for (let i = 0; i < 3 * W; i++) sums[3 * W * y + i] += share * row[i];
    }
  });
  return Uint8Array.from({ length: C * H * W }, (_, i) => {
    const [channel, pixel] = [Math.floor(i / (H * W)), i % (H * W)];
    const level = (c: number) => sums[3 * pixel + c];
    return Math.round(C === 3 ? level(channel) : GREY.reduce((sum, weight, c) => sum + weight * level(c), 0));
  });
}

/** One row of the square, averaged into the pixels of the result: red, green and blue of each. */
function averageRow(data: Picture['data'], start: number, spans: readonly Span[][], row: Float64Array): void {
  row.fill(0);
  spans.forEach((across, x) => {
    for (const { at, weight } of across) {
      const from = start + 4 * at;
      const opacity = data[from + 3] / 255;
      for (let c = 0; c < 3; c++) {
        row[3 * x + c] += weight * (opacity * data[from + c] + (1 - opacity) * 255);
      }
    }
  });
}

interface Span {
  /** A pixel of the picture. */
  at: number;
  /** Its share of the area; the shares sum to 1. */
  weight: number;
}

/** For each of `count` equal parts: the pixels of `length` that it covers, and their shares. */
function spansOf(length: number, count: number): Span[][] {
  const size = length / count;
  return Array.from({ length: count }, (_, i) => {
    const [first, last] = [i * size, (i + 1) * size];
    const spans: Span[] = [];
    for (let at = Math.floor(first); at < Math.min(length, Math.ceil(last)); at++) {
      const covered = Math.min(at + 1, last) - Math.max(at, first);
      if (covered > 0) spans.push({ at, weight: covered / size });
    }
    return spans;
  });
}

/** The picture rotated or mirrored by Exif's `orientation`, 1 to 8. */
export function upright({ width, height, data }: Picture, orientation: number): Picture {
  if (orientation === 1) return { width, height, data };
  // From 5 on, stored rows are columns.
  const lying = orientation >= 5;
  const turned = { width: lying ? height : width, height: lying ? width : height };
  const out = new Uint8Array(data.length);
  const flips = { x: [2, 3, 7, 8].includes(orientation), y: [3, 4, 6, 7].includes(orientation) };
  for (let y = 0; y < turned.height; y++) {
    for (let x = 0; x < turned.width; x++) {
      const [column, row] = lying ? [y, x] : [x, y];
      const from = 4 * ((flips.y ? height - 1 - row : row) * width + (flips.x ? width - 1 - column : column));
      out.set(data.subarray(from, from + 4), 4 * (y * turned.width + x));
    }
  }
  return { ...turned, data: out };
}
