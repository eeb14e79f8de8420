import type { Elementwise } from '../activation/reference.ts';
import { sigmoid } from '../sigmoid/reference.ts';

export const softplus = (beta = 1, threshold = 20): Elementwise => ({
  value: (x) => (beta * x > threshold ? x : Math.log1p(Math.exp(beta * x)) / beta),
  slope: (x) => (beta * x > threshold ? 1 : sigmoid.value(beta * x)),
});
