/**
 * Draws one shape: rotated and stretched, of any size and position that keeps it visible, over an uneven background,
 * with clutter. Shape and background have two random colours that differ enough, so neither brightness nor colour
 * reveals the class. Only + - * / and the square root are used, which every machine rounds alike, so the same random
 * numbers give the same bytes everywhere.
 */
import type { Random } from '../../src/base/random.ts';
import { OUTLINES, type Outline } from './outlines.ts';

export const SIZE = 32;
export const CHANNELS = 3;

/** How much everything varies: a straight line between the classes should fail, a small network should not. */
export const DIFFICULTY = {
  /** Radius of the shape's unit circle, in pixels. */
  radius: [8.5, 14],
  /** Largest rotation in either direction, as the tangent of half the angle: 33 degrees. */
  halfTurn: 0.3,
  /** One side over the other, along any direction. */
  stretch: [0.75, 1],
  /** How far, in pixels, the unit circle may reach over the edge. */
  over: 1,
  /** Least distance of the shape's colour from either colour of the background, in levels of 0 to 255. */
  contrast: 130,
  /** Largest change of the background's colour across the image, per channel. */
  groundChange: 70,
  /** Largest change of the shape's colour across the image, per channel. */
  shapeChange: 50,
  /** Probability that the background has two colours with a straight edge, instead of a gradual change. */
  edge: 0.3,
  /**
   * Probability of each of up to three spots of clutter, behind and in front of the shape, and their radius in pixels.
   */
  spot: 0.35,
  spotRadius: [0.7, 2.2],
  /** Probability of a line across the image, behind and in front of the shape, and half its width in pixels. */
  line: 0.2,
  lineWidth: [0.3, 0.8],
  /** Pixels whose colour is off, and by how much at most. */
  specks: 12,
  speckChange: 70,
  /** Levels are rounded to multiples of this, so that the files stay small. */
  step: 15,
} as const;

type Range = readonly [number, number];
type Colour = readonly [r: number, g: number, b: number];
type Vec = readonly [x: number, y: number];
/** A layer's colour at a point of the image, in pixels; undefined where it is transparent. */
type Layer = (x: number, y: number) => Colour | undefined;

/** Samples per pixel in each dimension. */
const SAMPLES = 2;

const between = (random: Random, [low, high]: Range): number => random.uniform(low, high);

const anyColour = (random: Random): Colour => [
  random.uniform(0, 255),
  random.uniform(0, 255),
  random.uniform(0, 255),
];

const changed = (random: Random, [r, g, b]: Colour, by: number): Colour => [
  r + random.uniform(-by, by),
  g + random.uniform(-by, by),
  b + random.uniform(-by, by),
];

const mixed = (a: Colour, b: Colour, share: number): Colour => [
  a[0] + share * (b[0] - a[0]),
  a[1] + share * (b[1] - a[1]),
  a[2] + share * (b[2] - a[2]),
];

const distance = (a: Colour, b: Colour): number => {
  const [r, g, l] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  return Math.sqrt(r * r + g * g + l * l);
};

/** A random direction. */
function direction(random: Random): Vec {
  for (;;) {
    const [x, y] = [random.uniform(-1, 1), random.uniform(-1, 1)];
    const length = Math.sqrt(x * x + y * y);
    if (length > 0.1 && length <= 1) return [x / length, y / length];
  }
}

/** An image of the class `label`: C x H x W bytes. */
export function drawShape(label: number, random: Random): Uint8Array<ArrayBuffer> {
  const [from, to] = groundColours(random);
  let ink = anyColour(random);
  while (Math.min(distance(ink, from), distance(ink, to)) < DIFFICULTY.contrast) ink = anyColour(random);

  const shape = shapeLayer(OUTLINES[label], ink, random);
  const behind = clutter(random);
  const before = clutter(random);
  return develop([...before, shape, ...behind, ground(from, to, random)], random);
}

function groundColours(random: Random): [Colour, Colour] {
  const from = anyColour(random);
  return [from, changed(random, from, DIFFICULTY.groundChange)];
}

/** A change from one side of the image to the other, gradual or at an edge. */
function ground(from: Colour, to: Colour, random: Random): Layer {
  const share = across(random);
  const hasEdge = random.uniform() < DIFFICULTY.edge;
  const edge = random.uniform(0.3, 0.7);
  return (x, y) => mixed(from, to, hasEdge ? (share(x, y) < edge ? 0 : 1) : share(x, y));
}

/** How far a point is across the image in some direction, about 0 to 1. */
function across(random: Random): (x: number, y: number) => number {
  const [dx, dy] = direction(random);
  return (x, y) => 0.5 + ((x - SIZE / 2) * dx + (y - SIZE / 2) * dy) / (1.2 * SIZE);
}

function shapeLayer(outline: Outline, ink: Colour, random: Random): Layer {
  const radius = between(random, DIFFICULTY.radius);
  const room = SIZE / 2 - radius + DIFFICULTY.over;
  const middle: Vec = [SIZE / 2 + random.uniform(-room, room), SIZE / 2 + random.uniform(-room, room)];
  // cos and sin from the tangent of half the angle
  const t = random.uniform(-DIFFICULTY.halfTurn, DIFFICULTY.halfTurn);
  const cos = (1 - t * t) / (1 + t * t);
  const sin = (2 * t) / (1 + t * t);
  const [along, athwart] = direction(random);
  const stretch = between(random, DIFFICULTY.stretch);
  const share = across(random);
  const other = changed(random, ink, DIFFICULTY.shapeChange);
  return (x, y) => {
    const [dx, dy] = [(x - middle[0]) / radius, (y - middle[1]) / radius];
    // Longer by 1 / stretch along one direction, and therefore shorter in the image.
    const part = (dx * along + dy * athwart) * (1 / stretch - 1);
    const [u, v] = [dx + part * along, dy + part * athwart];
    return outline.inside(cos * u + sin * v, cos * v - sin * u) ? mixed(ink, other, share(x, y)) : undefined;
  };
}

/** Spots and lines of any colour. */
function clutter(random: Random): Layer[] {
  const layers: Layer[] = [];
  for (let i = 0; i < 3; i++) {
    if (random.uniform() >= DIFFICULTY.spot) continue;
    const colour = anyColour(random);
    const [cx, cy] = [random.uniform(0, SIZE), random.uniform(0, SIZE)];
    const radius = between(random, DIFFICULTY.spotRadius);
    layers.push((x, y) => ((x - cx) * (x - cx) + (y - cy) * (y - cy) < radius * radius ? colour : undefined));
  }
  if (random.uniform() < DIFFICULTY.line) {
    const colour = anyColour(random);
    const [cx, cy] = [random.uniform(0, SIZE), random.uniform(0, SIZE)];
    const [dx, dy] = direction(random);
    const width = between(random, DIFFICULTY.lineWidth);
    layers.push((x, y) => (Math.abs((x - cx) * dy - (y - cy) * dx) < width ? colour : undefined));
  }
  return layers;
}

/** Layers, front to back, to bytes. */
function develop(layers: readonly Layer[], random: Random): Uint8Array<ArrayBuffer> {
  const area = SIZE * SIZE;
  const levels = new Float64Array(CHANNELS * area);
  const weight = 1 / (SAMPLES * SAMPLES);
  for (let i = 0; i < SAMPLES * SAMPLES * area; i++) {
    const row = Math.floor(i / (SAMPLES * SIZE));
    const column = i % (SAMPLES * SIZE);
    const [x, y] = [(column + 0.5) / SAMPLES, (row + 0.5) / SAMPLES];
    const pixel = Math.floor(y) * SIZE + Math.floor(x);
    const colour = front(layers, x, y);
    for (let channel = 0; channel < CHANNELS; channel++) {
      levels[channel * area + pixel] += weight * colour[channel];
    }
  }
  for (let i = 0; i < DIFFICULTY.specks; i++) {
    const pixel = random.below(area);
    const change = random.uniform(-DIFFICULTY.speckChange, DIFFICULTY.speckChange);
    for (let channel = 0; channel < CHANNELS; channel++) levels[channel * area + pixel] += change;
  }
  const { step } = DIFFICULTY;
  return Uint8Array.from(levels, (level) => Math.min(255, Math.max(0, step * Math.round(level / step))));
}

function front(layers: readonly Layer[], x: number, y: number): Colour {
  for (const layer of layers) {
    const colour = layer(x, y);
    if (colour !== undefined) return colour;
  }
  return [0, 0, 0];
}
