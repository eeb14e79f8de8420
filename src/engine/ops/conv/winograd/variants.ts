import type { Variant } from './cook_toom.ts';
import { rational } from './rational.ts';

/**
 * The points are those with the smallest float32 errors in fprop and wgrad together, out of all sets of twenty fractions
 * from 1/4 to 3: transforms.test.ts has the errors. The usual points 0, 1, 2 of F(4, 3) double them.
 */
export const F2X3: Variant = { name: 'winograd_f2x3', M: 2, R: 3, points: [rational(1)], longestSum: 256 };

export const F4X3: Variant = {
  name: 'winograd_f4x3',
  M: 4,
  R: 3,
  points: [rational(2, 3), rational(3, 2)],
  longestSum: 1024,
};

export const F2X5: Variant = {
  name: 'winograd_f2x5',
  M: 2,
  R: 5,
  points: [rational(2, 3), rational(3, 2)],
  longestSum: 512,
};

export const F4X5: Variant = {
  name: 'winograd_f4x5',
  M: 4,
  R: 5,
  points: [rational(1, 2), rational(1), rational(2)],
  longestSum: 256,
};

export const VARIANTS: readonly Variant[] = [F2X3, F4X3, F2X5, F4X5];
