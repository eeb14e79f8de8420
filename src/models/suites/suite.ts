import { convProblem, problemKey, type ConvProblem, type ConvSizes } from '../../engine/ops/conv/problem.ts';

/** A convolution of a suite, under its name in the network's paper. */
export interface SuiteLayer {
  name: string;
  /** N where it is not the suite's. */
  sizes: Omit<ConvSizes, 'N'> & { N?: number };
}

/** A list of convolutions that people compare. */
export interface Suite {
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly description: string;
  /** N, unless told otherwise. */
  readonly batch: number;
  /** Batch sizes that the suite itself goes through. */
  readonly batches?: readonly number[];
  /** In the network's order; layers of the same sizes are all there. */
  readonly layers: readonly SuiteLayer[];
}

/** Square filters on square images. */
export const square = (
  C: number,
  size: number,
  K: number,
  filter: number,
  padding = 0,
  stride = 1,
): SuiteLayer['sizes'] => ({
  C,
  H: size,
  W: size,
  K,
  R: filter,
  S: filter,
  padding: [padding, padding],
  stride: [stride, stride],
});

/** A problem of a suite, and the layers that have it. */
export interface SuiteCase {
  /** The first layer's name. */
  name: string;
  /** Names of all of them. */
  layers: string[];
  problem: ConvProblem;
}

/**
 * The problems of a suite, each once.
 * @param batch N instead of the suite's own, for all problems
 */
export function suiteCases(suite: Suite, batch?: number): SuiteCase[] {
  const cases = new Map<string, SuiteCase>();
  for (const N of batch === undefined ? (suite.batches ?? [undefined]) : [batch]) {
    for (const { name, sizes } of suite.layers) {
      const problem = convProblem({ ...sizes, N: N ?? sizes.N ?? suite.batch });
      const key = problemKey(problem);
      const known = cases.get(key);
      if (known) known.layers.push(name);
      else cases.set(key, { name, layers: [name], problem });
    }
  }
  return [...cases.values()];
}
