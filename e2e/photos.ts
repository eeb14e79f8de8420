/**
 * Photos of three things, as a person might take them with a shaky hand: each thing is known by its shape and texture, and
 * lies anywhere, in any size, turned, in other colours each time, over a ground that varies, under uneven light and noise.
 */
import { PNG } from 'pngjs';
import { Random } from '../src/base/random.ts';

const SIDE = 64;

/** How much of the thing is at a place from its centre, both in units of its radius; and whether its pattern is dark there. */
type Thing = (x: number, y: number) => { inside: boolean; dark: boolean };

const THINGS: Readonly<Record<string, Thing>> = {
  ball: (x, y) => ({ inside: x * x + y * y < 1, dark: Math.floor(4 * x + 20) % 2 === 0 }),
  box: (x, y) => ({
    inside: Math.max(Math.abs(x), Math.abs(y)) < 0.85,
    dark: (Math.floor(2.4 * x + 20) + Math.floor(2.4 * y + 20)) % 2 === 0,
  }),
  star: (x, y) => ({
    inside: Math.hypot(x, y) < 0.62 + 0.38 * Math.cos(5 * Math.atan2(y, x)),
    dark: Math.hypot(x, y) < 0.3,
  }),
};

/** A PNG file of 64 x 64 pixels. */
export function photo(thing: string, number: number): Buffer {
  const random = new Random(number, thing);
  const colour = (least: number, most: number) => [0, 0, 0].map(() => random.uniform(least, most));
  const [light, dark, ground, far] = [colour(140, 255), colour(0, 110), colour(40, 220), colour(40, 220)];
  const [cx, cy] = [0, 0].map(() => random.uniform(0.36, 0.64) * SIDE);
  const radius = random.uniform(0.24, 0.36) * SIDE;
  const turn = random.uniform(-0.5, 0.5);
  const [sin, cos] = [Math.sin(turn), Math.cos(turn)];
  const [slopeX, slopeY] = [0, 0].map(() => random.uniform(-40, 40));
  const picture = new PNG({ width: SIDE, height: SIDE });
  for (let i = 0; i < SIDE * SIDE; i++) {
    const [px, py] = [i % SIDE, Math.floor(i / SIDE)];
    const [dx, dy] = [(px - cx) / radius, (py - cy) / radius];
    const { inside, dark: patterned } = THINGS[thing](cos * dx + sin * dy, cos * dy - sin * dx);
    const below = py / SIDE;
    const shade = slopeX * (px / SIDE - 0.5) + slopeY * (below - 0.5);
    for (let channel = 0; channel < 3; channel++) {
      const behind = ground[channel] * (1 - below) + far[channel] * below;
      const level = inside ? (patterned ? dark : light)[channel] : behind;
      picture.data[4 * i + channel] = Math.min(255, Math.max(0, level + shade + random.normal(0, 18)));
    }
    picture.data[4 * i + 3] = 255;
  }
  return PNG.sync.write(picture);
}
