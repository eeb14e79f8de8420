import { testConvAlgorithm } from '../../../../testing/conv.ts';
import { convProblem } from '../../problem.ts';
import algorithm from './index.ts';

testConvAlgorithm(algorithm, [
  {
    name: 'a filter for tiles of 32',
    problem: convProblem({ N: 2, C: 2, H: 21, W: 12, K: 3, R: 17, S: 2, padding: [9, 1] }),
  },
]);
