import { describe, test } from 'vitest';
import { expectLaunch, settingOf, testConvAlgorithm } from '../../../../testing/conv.ts';
import { TILES } from '../../../../gemm/tiles.ts';
import { convProblem } from '../../problem.ts';
import algorithm, { dgradBy, fpropBy } from './index.ts';
import { stridedDgradBy } from './strided.ts';

testConvAlgorithm(algorithm);

/** Processors have no use for slices, so they are not among their launches. */
describe('sums in slices', () => {
  const [{ tile }] = TILES.filter((one) => one.tile.TM === 4 && one.tile.WX === 8);
  const way = { tile, slices: 3 };
  const problem = convProblem({ N: 2, C: 28, H: 7, W: 6, K: 44, R: 3, S: 3, padding: [1, 1], groups: 2 });
  const strided = convProblem({ ...problem, R: 4, S: 3, stride: [2, 3], groups: 1 });

  test.each([true, false])('fprop, with bias and ReLU: %s', async (extras) => {
    for (const one of [problem, strided]) {
      await expectLaunch(algorithm, one, 'fprop', fpropBy(await settingOf(one), way), extras);
    }
  });

  test.each([true, false])('dgrad, with a mask: %s', async (extras) => {
    await expectLaunch(algorithm, problem, 'dgrad', dgradBy(await settingOf(problem), way), extras);
    await expectLaunch(algorithm, strided, 'dgrad', stridedDgradBy(await settingOf(strided), way), extras);
  });
});
