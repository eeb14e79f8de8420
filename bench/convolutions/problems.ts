import { parseProblem, type ConvProblem } from '../../src/engine/ops/conv/problem.ts';
import { suiteCases, suites } from '../../src/models/suites.ts';

/** What libraries are compared by. pytorch.py has the same. */
export const PROBLEMS: readonly ConvProblem[] = suiteCases(suites.get('layers')).map(
  ({ problem }) => problem,
);

/** The same filters with so little to do that a software GPU is soon done. */
export const SMALL_PROBLEMS: readonly ConvProblem[] = [
  'n2 c8 8x8 k8 3x3 s1x1 p1x1 d1x1 g1',
  'n2 c4 9x7 k6 5x5 s1x1 p2x2 d1x1 g1',
  'n2 c8 8x8 k4 1x1 s1x1 p0x0 d1x1 g1',
].map(parseProblem);
