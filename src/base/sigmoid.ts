/** 1 / (1 + e^-x), and its slope. */
export const sigmoid = {
  value: (x: number): number => 1 / (1 + Math.exp(-x)),
  // The slope is even; this form avoids a subtraction from 1.
  slope: (x: number): number => sigmoid.value(x) * sigmoid.value(-x),
};
