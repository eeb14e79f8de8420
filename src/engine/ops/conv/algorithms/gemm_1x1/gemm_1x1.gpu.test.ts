import { describe, expect, test } from 'vitest';
import type { Tile } from '../../../../gemm/tiles.ts';
import { expectLaunch, settingOf, testConvAlgorithm } from '../../../../testing/conv.ts';
import { convProblem, type Direction } from '../../problem.ts';
import algorithm, { dgradWith, fpropWith, wgradWith } from './index.ts';

testConvAlgorithm(algorithm, [
  {
    name: '1x1 filter, groups',
    problem: convProblem({ N: 3, C: 6, H: 2, W: 3, K: 9, R: 1, S: 1, groups: 3 }),
  },
  {
    name: '1x1 filter, depthwise',
    problem: convProblem({ N: 2, C: 5, H: 4, W: 2, K: 5, R: 1, S: 1, groups: 5 }),
  },
  {
    name: '1x1 filter, dilated',
    problem: convProblem({ N: 2, C: 3, H: 3, W: 4, K: 5, R: 1, S: 1, dilation: [2, 3] }),
  },
]);

/** Staged tiles, which real GPUs use: values as vectors of four or single, and tiles that fit or do not. */
describe('staged tiles', () => {
  const tile: Tile = { TM: 4, TN: 1, WX: 8, WY: 8, WK: 1, BK: 8, STAGED: true, SPLIT: false };
  const launches = { fprop: fpropWith, dgrad: dgradWith, wgrad: wgradWith };
  const problems = [
    ['pixels and weights in vec4', convProblem({ N: 3, C: 72, H: 4, W: 5, K: 40, R: 1, S: 1, groups: 2 })],
    ['pixels in vec4', convProblem({ N: 2, C: 33, H: 2, W: 18, K: 35, R: 1, S: 1 })],
    ['weights in vec4', convProblem({ N: 2, C: 36, H: 7, W: 7, K: 9, R: 1, S: 1 })],
    ['tiles that fit', convProblem({ N: 2, C: 32, H: 8, W: 8, K: 64, R: 1, S: 1 })],
  ] as const;
  describe.each(problems)('%s', (_, problem) => {
    test.each(['fprop', 'dgrad', 'wgrad'] as Direction[])('%s', async (direction) => {
      const launch = launches[direction](await settingOf(problem), tile);
      await expectLaunch(algorithm, problem, direction, launch, true);
    });
  });
});

test('gives the reason why not', async () => {
  const reason = async (sizes: object) =>
    algorithm.unsupported(
      await settingOf(convProblem({ N: 1, C: 2, H: 5, W: 5, K: 2, R: 1, S: 1, ...sizes })),
      'fprop',
    );
  expect(await reason({ R: 3 })).toMatch(/requires 1x1 filters, got 3x1$/);
  expect(await reason({ stride: [1, 2] })).toMatch(/got stride 1x2, padding 0$/);
  expect(await reason({ padding: [1, 0] })).toMatch(/got stride 1x1, padding 1x0$/);
  expect(await reason({ dilation: [2, 2] })).toBeUndefined();
});
