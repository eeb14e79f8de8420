/** What real GPUs run in NHWC: staged tiles, with values as vectors of four or single, and tiles that fit or do not. */
import { describe, expect, test } from 'vitest';
import type { Tile } from '../../../gemm/tiles.ts';
import { expectLaunch, settingOf } from '../../../testing/conv.ts';
import type { Launch } from '../algorithm.ts';
import { convProblem, DIRECTIONS, type ProblemSizes, type Direction } from '../problem.ts';
import { dgradLaunches, fpropLaunches, wgradLaunches } from './index.ts';

const tile: Tile = { TM: 4, TN: 1, WX: 8, WY: 8, WK: 1, BK: 8, STAGED: true, SPLIT: false };
/** Threads that share a sum. */
const shared: Tile = { TM: 4, TN: 1, WX: 4, WY: 1, WK: 8, BK: 16, STAGED: false, SPLIT: true };

const nhwc = (sizes: ProblemSizes) => convProblem({ ...sizes, layout: 'nhwc' });
// oxfmt-ignore
const problems = [
  ['all in vec4, groups', nhwc({ N: 2, C: 24, H: 5, W: 6, K: 40, R: 3, S: 2, groups: 2, padding: { top: 1, bottom: 0, left: 0, right: 2 } }), false],
  ['input in vec4', nhwc({ N: 2, C: 12, H: 7, W: 5, K: 9, R: 2, S: 3, stride: [2, 1], padding: 'same' }), false],
  ['output in vec4', nhwc({ N: 1, C: 5, H: 9, W: 8, K: 36, R: 3, S: 3, stride: [2, 3], dilation: [2, 1], padding: [2, 1] }), false],
  ['nothing in vec4', nhwc({ N: 3, C: 3, H: 6, W: 7, K: 33, R: 3, S: 3, padding: [1, 1] }), false],
  ['tiles that fit', nhwc({ N: 2, C: 32, H: 8, W: 8, K: 64, R: 3, S: 3, padding: [1, 1] }), false],
  ['1x1 in vec4, groups', nhwc({ N: 3, C: 72, H: 4, W: 5, K: 40, R: 1, S: 1, groups: 2 }), true],
  ['1x1', nhwc({ N: 2, C: 33, H: 7, W: 3, K: 35, R: 1, S: 1 }), true],
] as const;

/** Of them, those that SwiftShader computes, too: it takes seconds to compile a staged tile. */
const ON_SWIFTSHADER = ['all in vec4, groups', 'nothing in vec4', '1x1'];

describe.each([
  ['staged', tile],
  ['shared sums', shared],
])('%s', (_, own) => {
  describe.each(problems)('%s', (name, problem, pointwise) => {
    test.each(DIRECTIONS)('%s', async (direction) => {
      const setting = await settingOf(problem);
      const { software } = setting.device.adapter;
      if (software && !ON_SWIFTSHADER.includes(name)) return;
      const launches: Readonly<Record<Direction, () => Launch<Direction>[]>> = {
        fprop: () => fpropLaunches(setting, pointwise, [own]) as Launch<Direction>[],
        dgrad: () => dgradLaunches(setting, pointwise, [own]) as Launch<Direction>[],
        wgrad: () => wgradLaunches(setting, pointwise, [own]) as Launch<Direction>[],
      };
      const [launch, ...others] = launches[direction]();
      expect(others).toEqual([]);
      const algorithm = { exact: true };
      for (const extras of software ? [true] : [true, false])
        await expectLaunch(algorithm, problem, direction, launch, extras);
    });
  });
});
