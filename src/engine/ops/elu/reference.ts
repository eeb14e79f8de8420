import type { Elementwise } from '../activation/reference.ts';

export const elu = (alpha = 1): Elementwise => ({
  value: (x) => (x <= 0 ? alpha * Math.expm1(x) : x),
  slope: (x) => (x <= 0 ? alpha * Math.exp(x) : 1),
});
