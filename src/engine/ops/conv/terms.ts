/** How many products a convolution sums up for a value, from which bounds of its errors follow. */
import type { Sum } from '../../error-bound.ts';
import type { ConvAlgorithm } from './algorithm.ts';
import type { ConvProblem, Direction } from './problem.ts';

/** The most terms that a value of y, dx or dw has. */
export function mostTerms(
  { N, C, H, W, K, R, S, P, Q, stride, dilation, groups }: ConvProblem,
  direction: Direction,
): number {
  /** Rows, or columns, of the filter that lie in the image at the same time. */
  const inside = (length: number, filter: number, step: number) => Math.min(filter, Math.ceil(length / step));
  switch (direction) {
    case 'fprop':
      return (C / groups) * inside(H, R, dilation[0]) * inside(W, S, dilation[1]);
    case 'dgrad':
      return (K / groups) * Math.min(P, Math.ceil(R / stride[0])) * Math.min(Q, Math.ceil(S / stride[1]));
    case 'wgrad':
      return N * P * Q;
  }
}

/** How an algorithm sums up a value of a direction's result. */
export const sumOf = ({ sum }: Pick<ConvAlgorithm, 'sum'>, problem: ConvProblem, direction: Direction): Sum =>
  sum?.(problem, direction) ?? { terms: mostTerms(problem, direction) };
