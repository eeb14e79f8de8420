/**
 * How Winograd's algorithms sum up a value, for bounds of their errors. A tile's outputs are AT ((G g) * (BT d)) along rows and
 * columns. For inputs of equal variance, the products at position j have a deviation of ‖G_j‖ ‖BT_j‖ times that of g and d;
 * what is off there reaches output i with the weight AT_ij. So errors are those of plain sums, enlarged in each dimension by
 * the root of Σ_j AT_ij² ‖G_j‖² ‖BT_j‖², where a plain sum has the root of R² for R taps. Barabasz, Anderson, Soodhalter and
 * Gregg, "Error analysis and improving the accuracy of Winograd convolution for deep neural networks" (2020), have the same
 * with norms that allow for the worst case.
 */
import type { Sum } from '../../../../error-bound.ts';
import type { ConvProblem, Direction } from '../../problem.ts';
import { cookToom, tileSize, type Variant } from './cook_toom.ts';
import { toNumber, type Rational } from './rational.ts';

/** The transforms mix whole tiles and filters, so terms that meet only padding count. */
export function sumOfTiles(variant: Variant, problem: ConvProblem, direction: Direction): Sum {
  const { M, R } = variant;
  const { N, C, K, P, Q, groups } = problem;
  const upTo = (length: number) => Math.ceil(length / M) * M;
  const [outputs, taps] = direction === 'wgrad' ? [R, M] : [M, R];
  const terms =
    direction === 'wgrad' ? N * upTo(P) * upTo(Q) : ((direction === 'fprop' ? C : K) / groups) * R * R;
  // Sums along rows, then columns, are rounded as long as they grow: as if half as often as they are long, and the factors.
  const along = (length: number) => 2 * (length / 2 + 1);
  const tile = tileSize(variant);
  const roundings = along(tile) + along(taps) + along(tile) + 1;
  return { terms, transforms: { roundings, enlarged: enlarged(variant, outputs, taps) ** 2 } };
}

function enlarged(variant: Variant, outputs: number, taps: number): number {
  const { AT, G, BT } = cookToom(variant, outputs, taps);
  const square = (value: Rational) => toNumber(value) ** 2;
  const norm = (row: readonly Rational[]) => row.reduce((sum, value) => sum + square(value), 0);
  const energies = AT.map((row) =>
    row.reduce((sum, value, j) => sum + square(value) * norm(G[j]) * norm(BT[j]), 0),
  );
  return Math.sqrt(Math.max(...energies)) / taps;
}
