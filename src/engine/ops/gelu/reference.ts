import type { Elementwise } from '../activation/reference.ts';
import { sigmoid } from '../sigmoid/reference.ts';
import { normalCdf, normalDensity } from './normal.ts';

export const gelu: Elementwise = {
  value: (x) => x * normalCdf(x),
  slope: (x) => normalCdf(x) + x * normalDensity(x),
};

const SCALE = Math.sqrt(2 / Math.PI);
const CUBIC = 0.044715;

/** (1 + tanh(u)) / 2 = sigmoid(2 u), whose small values have all their digits. */
export const geluTanh: Elementwise = {
  value: (x) => x * sigmoid.value(2 * SCALE * (x + CUBIC * x ** 3)),
  slope(x) {
    const u = 2 * SCALE * (x + CUBIC * x ** 3);
    return sigmoid.value(u) + x * sigmoid.slope(u) * 2 * SCALE * (1 + 3 * CUBIC * x * x);
  },
};
