/**
 * Draws one digit: a glyph, bent, slanted, rotated and stretched, drawn with a pen of random width and ink on slightly
 * dirty paper. Only + - * / and the square root are used, which every machine rounds alike, so the same random numbers
 * give the same bytes everywhere.
 */
import type { Random } from '../../src/base/random.ts';
import { GLYPHS, type Glyph, type Stroke } from './glyphs.ts';

export const SIZE = 28;

/** How much everything varies: a straight line between the classes should fail, a small network should not. */
export const DIFFICULTY = {
  /** Height of the digit in pixels. */
  height: [16, 21],
  /** Width over height, of the glyph's box. */
  aspect: [0.68, 1],
  /** Largest rotation in either direction, as the tangent of half the angle. */
  halfTurn: 0.09,
  /** Sideways lean, per unit of height: standard deviation. */
  shear: 0.13,
  /** Largest shift of the middle, in pixels. */
  shift: 2.7,
  /** Independent movement of every control point: standard deviation, in units of the box. */
  jitter: 0.012,
  /** Smooth bending of the whole digit: standard deviation at the knots of a 5 x 5 grid, in units of the box. */
  bend: 0.055,
  /** Radius of the pen in pixels, and how much it changes along a stroke. */
  pen: [0.7, 1.6],
  pressure: 0.25,
  /** Share of a stroke that may be missing at either end. */
  missing: 0.05,
  /** Probability of a gap in the ink of a stroke, and its share of the stroke. */
  gap: 0.1,
  gapLength: 0.08,
  /** Brightness of the ink. */
  ink: [170, 255],
  /** Probability of each of up to three stray marks, and their length in pixels. */
  mark: 0.2,
  markLength: [1, 6],
  /** Probability of a dust speck, per image, tried six times. */
  speck: 0.3,
  /** Unevenness of the ink: largest relative loss. */
  grain: 0.2,
} as const;

type Range = readonly [number, number];
type Vec = [x: number, y: number];

const between = (random: Random, [low, high]: Range): number => random.uniform(low, high);

/** Nearly normal, mean 0 and deviation 1, at most 3 in size: the sum of three uniform numbers. */
const bell = (random: Random): number => 2 * (random.uniform() + random.uniform() + random.uniform() - 1.5);

/** An image of `label` as SIZE x SIZE bytes, bright ink on black. */
export function drawDigit(label: number, random: Random): Uint8Array<ArrayBuffer> {
  const variants = GLYPHS[label];
  const glyph = variants[random.below(variants.length)];
  const canvas = new Float64Array(SIZE * SIZE);
  const pen = between(random, DIFFICULTY.pen);
  for (const path of place(glyph, random)) inkStroke(canvas, path, pen, 1, random);
  for (let i = 0; i < 3; i++) if (random.uniform() < DIFFICULTY.mark) strayMark(canvas, random);
  for (let i = 0; i < 6; i++)
    if (random.uniform() < DIFFICULTY.speck) canvas[random.below(canvas.length)] += 0.3;
  return develop(canvas, random);
}

/** The strokes of a glyph as paths in pixels. */
function place(glyph: Glyph, random: Random): Vec[][] {
  const height = between(random, DIFFICULTY.height);
  const width = height * between(random, DIFFICULTY.aspect);
  const shear = DIFFICULTY.shear * bell(random);
  // cos and sin from the tangent of half the angle
  const t = random.uniform(-DIFFICULTY.halfTurn, DIFFICULTY.halfTurn);
  const cos = (1 - t * t) / (1 + t * t);
  const sin = (2 * t) / (1 + t * t);
  const middle: Vec = [
    SIZE / 2 + random.uniform(-DIFFICULTY.shift, DIFFICULTY.shift),
    SIZE / 2 + random.uniform(-DIFFICULTY.shift, DIFFICULTY.shift),
  ];
  const bend = bending(random);

  const toPixels = ([x, y]: Vec): Vec => {
    const [dx, dy] = bend(x, y);
    const v = (y + dy - 0.5) * height;
    const u = (x + dx - 0.5) * width - shear * v;
    return [middle[0] + cos * u - sin * v, middle[1] + sin * u + cos * v];
  };
  return glyph.map((stroke) => trim(smooth(jitter(stroke, random)), random).map(toPixels));
}

const jitter = (stroke: Stroke, random: Random): Stroke =>
  stroke.map(([x, y, corner]) => [
    x + DIFFICULTY.jitter * bell(random),
    y + DIFFICULTY.jitter * bell(random),
    corner,
  ]);

/** A curve through the points (Catmull and Rom), broken at corners. */
function smooth(stroke: Stroke): Vec[] {
  const steps = 8;
  const path: Vec[] = [[stroke[0][0], stroke[0][1]]];
  for (let i = 0; i + 1 < stroke.length; i++) {
    const [from, to] = [stroke[i], stroke[i + 1]];
    const before = i === 0 || from[2] ? from : stroke[i - 1];
    const after = i + 2 === stroke.length || to[2] ? to : stroke[i + 2];
    for (let k = 1; k <= steps; k++) {
      const s = k / steps;
      const along = (axis: 0 | 1) => {
        const [a, b, c, d] = [before[axis], from[axis], to[axis], after[axis]];
        return b + 0.5 * s * (c - a + s * (2 * a - 5 * b + 4 * c - d + s * (3 * (b - c) + d - a)));
      };
      path.push([along(0), along(1)]);
    }
  }
  return path;
}

/** Takes a little off both ends. */
function trim(path: Vec[], random: Random): Vec[] {
  const count = path.length - 1;
  const first = Math.floor(count * random.uniform(0, DIFFICULTY.missing));
  const last = count - Math.floor(count * random.uniform(0, DIFFICULTY.missing));
  return path.slice(first, last + 1);
}

/** A smooth displacement field over the box: random at the knots of a grid, quadratic B-splines between. */
function bending(random: Random): (x: number, y: number) => Vec {
  const knots = 5;
  const field = Array.from({ length: knots * knots }, (): Vec => [bell(random), bell(random)]);
  /** The first of the three knots that affect `x`, and their weights. */
  const locate = (x: number): [number, number[]] => {
    const at = Math.min(Math.max(x, 0), 0.999) * (knots - 2);
    const first = Math.floor(at);
    const f = at - first;
    return [first, [0.5 * (1 - f) * (1 - f), 0.5 + f * (1 - f), 0.5 * f * f]];
  };
  return (x, y) => {
    const [column, across] = locate(x);
    const [row, down] = locate(y);
    const moved: Vec = [0, 0];
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        const weight = DIFFICULTY.bend * down[r] * across[c];
        const [dx, dy] = field[(row + r) * knots + column + c];
        moved[0] += weight * dx;
        moved[1] += weight * dy;
      }
    }
    return moved;
  };
}

/** Draws a path with a pen whose pressure changes from end to end, leaving a gap now and then. */
function inkStroke(canvas: Float64Array, path: Vec[], pen: number, strength: number, random: Random): void {
  const swing = DIFFICULTY.pressure;
  const [start, middle, end] = [0, 0, 0].map(() => pen * (1 + random.uniform(-swing, swing)));
  const count = path.length - 1;
  const hasGap = random.uniform() < DIFFICULTY.gap;
  const gapAt = random.uniform();
  for (let i = 0; i < count; i++) {
    const s = i / count;
    if (hasGap && s > gapAt && s < gapAt + DIFFICULTY.gapLength) continue;
    const radius = s < 0.5 ? start + 2 * s * (middle - start) : middle + (2 * s - 1) * (end - middle);
    inkLine(canvas, path[i], path[i + 1], radius, strength);
  }
}

/** A line with round ends; its edge is one pixel soft. Lines that touch do not darken each other. */
function inkLine(canvas: Float64Array, from: Vec, to: Vec, radius: number, strength: number): void {
  const reach = radius + 1;
  const low = (axis: 0 | 1) => Math.max(0, Math.floor(Math.min(from[axis], to[axis]) - reach));
  const high = (axis: 0 | 1) => Math.min(SIZE - 1, Math.floor(Math.max(from[axis], to[axis]) + reach));
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const lengthSquared = dx * dx + dy * dy;
  for (let y = low(1); y <= high(1); y++) {
    for (let x = low(0); x <= high(0); x++) {
      const [px, py] = [x + 0.5 - from[0], y + 0.5 - from[1]];
      const s = lengthSquared > 0 ? Math.min(1, Math.max(0, (px * dx + py * dy) / lengthSquared)) : 0;
      const [ex, ey] = [px - s * dx, py - s * dy];
      const cover = Math.min(1, Math.max(0, radius + 0.5 - Math.sqrt(ex * ex + ey * ey)));
      canvas[y * SIZE + x] = Math.max(canvas[y * SIZE + x], strength * cover);
    }
  }
}

/** A short, thin line of ink anywhere, such as a slip of the pen. */
function strayMark(canvas: Float64Array, random: Random): void {
  const from: Vec = [random.uniform(0, SIZE), random.uniform(0, SIZE)];
  const length = between(random, DIFFICULTY.markLength);
  const to: Vec = [from[0] + length * random.uniform(-1, 1), from[1] + length * random.uniform(-1, 1)];
  inkLine(canvas, from, to, random.uniform(0.3, 1), random.uniform(0.4, 1));
}

/** Ink to bytes. Grey levels are rounded to multiples of 5, so that the files stay small. */
function develop(canvas: Float64Array, random: Random): Uint8Array<ArrayBuffer> {
  const ink = between(random, DIFFICULTY.ink);
  return Uint8Array.from(canvas, (cover) => {
    if (cover === 0) return 0;
    const level = Math.min(1, cover) * ink * (1 - random.uniform(0, DIFFICULTY.grain));
    return Math.floor(level / 5 + 0.5) * 5;
  });
}
