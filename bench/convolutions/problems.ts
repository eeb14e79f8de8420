import { suiteProblems } from '../../src/cli/bench/suites.ts';
import { convProblem, type ConvProblem } from '../../src/engine/ops/conv/problem.ts';

/** What libraries are compared by. pytorch.py has the same. */
export const PROBLEMS: readonly ConvProblem[] = suiteProblems('layers');

/** The same filters with so little to do that a software GPU is soon done. */
export const SMALL_PROBLEMS: readonly ConvProblem[] = [
  convProblem({ N: 2, C: 8, H: 8, W: 8, K: 8, R: 3, S: 3, padding: [1, 1] }),
  convProblem({ N: 2, C: 4, H: 9, W: 7, K: 6, R: 5, S: 5, padding: [2, 2] }),
  convProblem({ N: 2, C: 8, H: 8, W: 8, K: 4, R: 1, S: 1 }),
];
