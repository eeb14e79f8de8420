import { describe, test } from 'vitest';
import { expectLaunch, judgeLaunch, settingOf, testConvAlgorithm } from '../../../../testing/conv.ts';
import { TILES } from '../../../../gemm/tiles.ts';
import { convProblem, DIRECTIONS } from '../../problem.ts';
import algorithm, { dgradBy, fpropBy, wgradBy } from './index.ts';
import { stridedDgradBy } from './strided.ts';

testConvAlgorithm(algorithm);

const [{ tile }] = TILES.filter((one) => one.tile.TM === 4 && one.tile.WX === 8);

/** Processors have no use for slices, so they are not among their launches. */
describe('sums in slices', () => {
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

describe('a staged tile', () => {
  const byDirection = { fprop: fpropBy, dgrad: dgradBy, wgrad: wgradBy };
  const sizes = { N: 2, C: 16, H: 5, W: 8, K: 40 };
  const problems = {
    'four pixels in one load, dilated': { ...sizes, R: 3, S: 3, padding: [4, 4], dilation: [4, 4] },
    'four pixels in one load, groups': { ...sizes, R: 3, S: 1, padding: [1, 0], groups: 2 },
    'four pixels in one load, vertical stride': { ...sizes, R: 3, S: 1, stride: [2, 1] },
    'padding of less than four': { ...sizes, R: 3, S: 3, padding: [1, 1], dilation: [1, 4] },
    'rows of an odd length': { ...sizes, W: 11, R: 3, S: 3, padding: [4, 4], dilation: [4, 4] },
  } as const;
  const cases = Object.entries(problems).flatMap(([name, one]) =>
    DIRECTIONS.map((direction) => ({ name, problem: convProblem(one), direction })),
  );
  test.each(cases)('$name: $direction', async ({ problem, direction }) => {
    if (direction === 'dgrad' && Math.max(...problem.stride) > 1) return;
    const setting = await settingOf(problem);
    const launch = byDirection[direction](setting, { tile, slices: 1 });
    const always = !setting.device.adapter.software;
    await judgeLaunch(algorithm, setting, direction, launch, { extras: true, always });
  });
});
