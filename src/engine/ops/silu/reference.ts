import type { Elementwise } from '../activation/reference.ts';
import { sigmoid } from '../sigmoid/reference.ts';

export const silu: Elementwise = {
  value: (x) => x * sigmoid.value(x),
  slope: (x) => sigmoid.value(x) + x * sigmoid.slope(x),
};
