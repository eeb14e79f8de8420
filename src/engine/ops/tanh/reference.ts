import type { Elementwise } from '../activation/reference.ts';

export const tanh: Elementwise = { value: Math.tanh, slope: (x) => 1 / Math.cosh(x) ** 2 };
