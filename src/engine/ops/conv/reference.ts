/** Convolution in float64 from its definition: the reference for every algorithm. In both layouts. */
import { elements } from '../../../base/shape.ts';
import { inputIndexing, outputIndexing, weightIndexing } from './layout.ts';
import { inputShape, outputShape, weightShape, type ConvProblem } from './problem.ts';

/** y = x * w + bias. @param bias [K] */
export function convFprop(
  problem: ConvProblem,
  x: ArrayLike<number>,
  w: ArrayLike<number>,
  bias?: ArrayLike<number>,
): Float64Array {
  const y = new Float64Array(elements(outputShape(problem)));
  const indexing = outputIndexing(problem);
  if (bias) for (let i = 0; i < y.length; i++) y[i] = bias[indexing.placeOf(i)[1]];
  forEachProduct(problem, (xi, wi, yi) => (y[yi] += x[xi] * w[wi]));
  return y;
}

/** The gradient of x. */
export function convDgrad(problem: ConvProblem, w: ArrayLike<number>, dy: ArrayLike<number>): Float64Array {
  const dx = new Float64Array(elements(inputShape(problem)));
  forEachProduct(problem, (xi, wi, yi) => (dx[xi] += dy[yi] * w[wi]));
  return dx;
}

/** The gradient of w. */
export function convWgrad(problem: ConvProblem, x: ArrayLike<number>, dy: ArrayLike<number>): Float64Array {
  const dw = new Float64Array(elements(weightShape(problem)));
  forEachProduct(problem, (xi, wi, yi) => (dw[wi] += dy[yi] * x[xi]));
  return dw;
}

/** The gradient of the bias, [K]. */
export function convBiasGradient(problem: ConvProblem, dy: ArrayLike<number>): Float64Array {
  const db = new Float64Array(problem.K);
  const indexing = outputIndexing(problem);
  for (let i = 0; i < elements(outputShape(problem)); i++) db[indexing.placeOf(i)[1]] += dy[i];
  return db;
}

/** Visits every product of a convolution by the indices of its three parts; taps in the padding are skipped. */
function forEachProduct(problem: ConvProblem, visit: (xi: number, wi: number, yi: number) => void): void {
  const { N, C, H, W, K, R, S, P, Q, stride, padding, dilation, groups } = problem;
  const [x, w, y] = [inputIndexing(problem), weightIndexing(problem), outputIndexing(problem)];
  const channels = C / groups;
  const filters = K / groups;
  for (let n = 0; n < N; n++) {
    for (let k = 0; k < K; k++) {
      const firstChannel = Math.floor(k / filters) * channels;
      for (let p = 0; p < P; p++) {
        for (let q = 0; q < Q; q++) {
          const yi = y.at(n, k, p, q);
          for (let c = 0; c < channels; c++) {
            for (let r = 0; r < R; r++) {
              const h = p * stride[0] - padding.top + r * dilation[0];
              if (h < 0 || h >= H) continue;
              // Columns are as far apart as the first two.
              const [xs, ws] = [x.at(n, firstChannel + c, h, 0), w.at(k, c, r, 0)];
              for (let s = 0; s < S; s++) {
                const column = q * stride[1] - padding.left + s * dilation[1];
                if (column < 0 || column >= W) continue;
                visit(xs + column * x.pixel, ws + s * w.pixel, yi);
              }
            }
          }
        }
      }
    }
  }
}
