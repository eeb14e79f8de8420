import type { Elementwise } from '../activation/reference.ts';

export const sigmoid: Elementwise = {
  value: (x) => 1 / (1 + Math.exp(-x)),
  // The slope is even; this way round nothing is subtracted from 1.
  slope: (x) => sigmoid.value(x) * sigmoid.value(-x),
};
