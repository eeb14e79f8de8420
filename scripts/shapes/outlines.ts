/**
 * The ten shapes, as tests of whether a point lies inside, in coordinates whose unit circle contains them; y points
 * down. Only + - * / are used, which every machine rounds alike.
 */

export interface Outline {
  /** The name of the class. */
  name: string;
  inside(x: number, y: number): boolean;
}

type Point = readonly [x: number, y: number];

export const OUTLINES: readonly Outline[] = [
  { name: 'circle', inside: disc(0, 0, 0.85) },
  { name: 'ring', inside: without(disc(0, 0, 0.9), disc(0, 0, 0.5)) },
  { name: 'crescent', inside: without(disc(0, 0, 0.95), disc(0.45, 0, 0.75)) },
  { name: 'square', inside: box(0.74, 0.74) },
  {
    name: 'triangle',
    inside: polygon([
      [0, -0.98],
      [0.85, 0.49],
      [-0.85, 0.49],
    ]),
  },
  {
    name: 'star',
    inside: polygon([
      [0, -0.98],
      [0.247, -0.34],
      [0.932, -0.303],
      [0.399, 0.13],
      [0.576, 0.793],
      [0, 0.42],
      [-0.576, 0.793],
      [-0.399, 0.13],
      [-0.932, -0.303],
      [-0.247, -0.34],
    ]),
  },
  { name: 'cross', inside: either(box(0.28, 0.92), box(0.92, 0.28)) },
  { name: 'heart', inside: heart },
  {
    name: 'arrow',
    inside: polygon([
      [0, -0.98],
      [0.75, -0.1],
      [0.28, -0.1],
      [0.28, 0.9],
      [-0.28, 0.9],
      [-0.28, -0.1],
      [-0.75, -0.1],
    ]),
  },
  {
    name: 'stripes',
    inside: (x, y) => box(0.85, 0.8)(x, y) && (x < -0.45 || x > 0.45 || (x > -0.2 && x < 0.2)),
  },
];

type Inside = Outline['inside'];

function disc(centreX: number, centreY: number, radius: number): Inside {
  return (x, y) => (x - centreX) * (x - centreX) + (y - centreY) * (y - centreY) < radius * radius;
}

function box(halfWidth: number, halfHeight: number): Inside {
  return (x, y) => x > -halfWidth && x < halfWidth && y > -halfHeight && y < halfHeight;
}

function either(one: Inside, other: Inside): Inside {
  return (x, y) => one(x, y) || other(x, y);
}

function without(whole: Inside, hole: Inside): Inside {
  return (x, y) => whole(x, y) && !hole(x, y);
}

/** Even-odd: a ray to the right crosses the outline an odd number of times. */
function polygon(points: readonly Point[]): Inside {
  return (x, y) => {
    let isInside = false;
    points.forEach(([x1, y1], i) => {
      const [x2, y2] = points[(i + 1) % points.length];
      if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
    });
    return isInside;
  };
}

/** The sextic (X^2 + Y^2 - 1)^3 = X^2 Y^3. */
function heart(x: number, y: number): boolean {
  const [X, Y] = [1.25 * x, 0.1 - 1.25 * y];
  const a = X * X + Y * Y - 1;
  return a * a * a < X * X * Y * Y * Y;
}
