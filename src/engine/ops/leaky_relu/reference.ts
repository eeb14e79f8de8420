import type { Elementwise } from '../activation/reference.ts';

export const leakyRelu = (negativeSlope = 0.01): Elementwise => ({
  value: (x) => (x > 0 ? x : negativeSlope * x),
  slope: (x) => (x > 0 ? 1 : negativeSlope),
});
