import type { References } from '../../reference/ops.ts';

/** The fully connected layer in float64: x [N, in], w [out, in], y [N, out]. */

export interface LinearProblem {
  readonly N: number;
  readonly inFeatures: number;
  readonly outFeatures: number;
}

/** y = x w^T + bias */
export function linearFprop(
  { N, inFeatures, outFeatures }: LinearProblem,
  x: ArrayLike<number>,
  w: ArrayLike<number>,
  bias?: ArrayLike<number>,
): Float64Array {
  const y = new Float64Array(N * outFeatures);
  for (let n = 0; n < N; n++) {
    for (let o = 0; o < outFeatures; o++) {
      let sum = bias ? bias[o] : 0;
      for (let i = 0; i < inFeatures; i++) sum += x[n * inFeatures + i] * w[o * inFeatures + i];
      y[n * outFeatures + o] = sum;
    }
  }
  return y;
}

/** The gradient of x: dy w */
export function linearDgrad(
  { N, inFeatures, outFeatures }: LinearProblem,
  w: ArrayLike<number>,
  dy: ArrayLike<number>,
): Float64Array {
  const dx = new Float64Array(N * inFeatures);
  for (let n = 0; n < N; n++) {
    for (let o = 0; o < outFeatures; o++) {
      for (let i = 0; i < inFeatures; i++)
        dx[n * inFeatures + i] += dy[n * outFeatures + o] * w[o * inFeatures + i];
    }
  }
  return dx;
}

/** The gradient of w: dy^T x */
export function linearWgrad(
  { N, inFeatures, outFeatures }: LinearProblem,
  x: ArrayLike<number>,
  dy: ArrayLike<number>,
): Float64Array {
  const dw = new Float64Array(outFeatures * inFeatures);
  for (let n = 0; n < N; n++) {
    for (let o = 0; o < outFeatures; o++) {
      for (let i = 0; i < inFeatures; i++)
        dw[o * inFeatures + i] += dy[n * outFeatures + o] * x[n * inFeatures + i];
    }
  }
  return dw;
}

/** The gradient of the bias, [out]. */
export function linearBiasGradient({ N, outFeatures }: LinearProblem, dy: ArrayLike<number>): Float64Array {
  const db = new Float64Array(outFeatures);
  for (let i = 0; i < N * outFeatures; i++) db[i % outFeatures] += dy[i];
  return db;
}

export default {
  linear({ inputs: [x], shapes: [[N, inFeatures]], output, parameters: { weight, bias } }) {
    const problem = { N, inFeatures, outFeatures: output[1] };
    return {
      y: linearFprop(problem, x, weight, bias),
      backward: (dy) => ({
        inputs: [linearDgrad(problem, weight, dy)],
        parameters: {
          weight: linearWgrad(problem, x, dy),
          ...(bias ? { bias: linearBiasGradient(problem, dy) } : {}),
        },
      }),
    };
  },
} satisfies References;
