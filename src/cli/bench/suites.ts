import { Failure } from '../../base/result.ts';
import { convProblem, type ConvProblem, type ConvSizes } from '../../engine/ops/conv/problem.ts';

/** A list of convolutions that people compare. `batch` is what the suite uses unless told otherwise. */
interface Suite {
  batch: number;
  /** N where it is not the suite's. */
  problems: readonly (Omit<ConvSizes, 'N'> & { N?: number })[];
  /** Batch sizes that the suite itself goes through. */
  batches?: readonly number[];
}

const square = (
  C: number,
  size: number,
  K: number,
  filter: number,
  padding = 0,
  stride = 1,
): Omit<ConvSizes, 'N'> => ({
  ...{ C, H: size, W: size, K, R: filter, S: filter },
  padding: [padding, padding],
  stride: [stride, stride],
});

const suites: Readonly<Record<string, Suite>> = {
  // Nine small cases: batch 1, 4, 16 by 1, 4, 16 filters.
  awnn: { batch: 16, batches: [1, 4, 16], problems: [1, 4, 16].map((K) => square(4, 32, K, 3, 1)) },
  lenet5: { batch: 128, problems: [square(1, 28, 6, 5, 2), square(6, 14, 16, 5)] },
  resnet20: {
    batch: 128,
    problems: [
      square(3, 32, 16, 3, 1),
      square(16, 32, 16, 3, 1),
      square(16, 32, 32, 3, 1, 2),
      square(16, 32, 32, 1, 0, 2),
      square(32, 16, 32, 3, 1),
      square(32, 16, 64, 3, 1, 2),
      square(32, 16, 64, 1, 0, 2),
      square(64, 8, 64, 3, 1),
    ],
  },
  // Single layers of usual sizes, with which the tables in bench/ compare libraries.
  layers: {
    batch: 64,
    problems: [
      square(64, 32, 64, 3, 1),
      square(64, 32, 64, 5, 2),
      square(64, 32, 64, 1),
      { N: 128, ...square(128, 16, 128, 3, 1) },
      { N: 128, ...square(256, 8, 256, 3, 1) },
    ],
  },
};

export const suiteNames = (): string[] => Object.keys(suites);

/** @param batch N instead of the suite's own, for all problems */
export function suiteProblems(name: string, batch?: number): ConvProblem[] {
  const suite = suites[name];
  if (!suite)
    throw new Failure('not-found', `no suite named "${name}"`, `Known: ${suiteNames().join(', ')}.`);
  const batches = batch === undefined ? (suite.batches ?? [undefined]) : [batch];
  return batches.flatMap((N) =>
    suite.problems.map((sizes) => convProblem({ ...sizes, N: N ?? sizes.N ?? suite.batch })),
  );
}
