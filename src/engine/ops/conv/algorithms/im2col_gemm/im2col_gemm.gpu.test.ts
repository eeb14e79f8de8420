import { describe, expect, test } from 'vitest';
import type { Tile } from '../../../../gemm/tiles.ts';
import { expectLaunch, settingOf, testConvAlgorithm } from '../../../../testing/conv.ts';
import type { ConvSetting, LaunchSize } from '../../algorithm.ts';
import { launchesOf } from '../../run.ts';
import { convProblem, DIRECTIONS, type ConvProblem } from '../../problem.ts';
import { gradientColumns, inputColumns } from './columns.ts';
import algorithm, { dgradBy, fpropBy, wgradBy } from './index.ts';

testConvAlgorithm(algorithm);

const even = convProblem({ N: 3, C: 4, H: 9, W: 8, K: 5, R: 3, S: 3, padding: [1, 1] });
const rest = convProblem({ N: 2, C: 3, H: 7, W: 8, K: 5, R: 3, S: 3, padding: [1, 1] });
const odd = convProblem({ N: 3, C: 4, H: 7, W: 9, K: 6, R: 3, S: 2, stride: [1, 2], groups: 2 });

const within = async (problem: ConvProblem, workspace: number): Promise<ConvSetting> => ({
  ...(await settingOf(problem)),
  workspace,
});

test('pieces cover everything once, and fit', async () => {
  const setting = await within(even, 1e6);
  const pieces = (bytes: number) =>
    inputColumns(setting, bytes)?.pieces.map(({ firstImage, images, first, count }) => [
      ...[firstImage, images, first, count],
    ]);
  // A column is 144 bytes, an image 72 columns.
  expect(pieces(3 * 72 * 144)).toEqual([[0, 3, 0, 72]]);
  expect(pieces(3 * 72 * 144 - 1)).toEqual([
    [0, 2, 0, 72],
    [2, 1, 0, 72],
  ]);
  expect(pieces(71 * 144)?.slice(0, 3)).toEqual([
    [0, 1, 0, 36],
    [0, 1, 36, 36],
    [1, 1, 0, 36],
  ]);
  expect(pieces(35 * 144)?.slice(0, 3)).toEqual([
    [0, 1, 0, 24],
    [0, 1, 24, 24],
    [0, 1, 48, 24],
  ]);
  expect(pieces(3 * 144)).toBeUndefined();
  // A channel is 2592 bytes.
  expect(gradientColumns(setting, 4 * 2592 - 1)?.pieces.slice(0, 2)).toEqual([
    { firstImage: 0, images: 1, first: 0, count: 2 },
    { firstImage: 0, images: 1, first: 2, count: 2 },
  ]);
  expect(gradientColumns(setting, 2591)).toBeUndefined();
});

describe('a small workspace', () => {
  describe.each([
    ['pieces of images', even, 24000],
    ['pieces of an image', even, 6500],
    ['pieces of an image, the last one smaller', rest, 2200],
    ['pieces of images, odd', odd, 8000],
    ['pieces of an image, odd', odd, 2500],
  ] as const)('%s', (_, problem, workspace) => {
    test.each(DIRECTIONS)('%s', async (direction) => {
      const setting = await within(problem, workspace);
      expect(algorithm.unsupported(setting, direction)).toBeUndefined();
      const [launch] = launchesOf(algorithm, setting, direction);
      expect(launch.workspaceBytes).toBeLessThanOrEqual(workspace);
      await expectLaunch(algorithm, problem, direction, launch, true);
    });
  });

  test.each(DIRECTIONS)('too small for %s', async (direction) => {
    expect(algorithm.unsupported(await within(even, 500), direction)).toBe(
      'its columns, 30.4 KiB in all, cannot be split to fit a workspace of 0.5 KiB',
    );
  });
});

/** Staged tiles, which real GPUs use. */
describe('staged tiles', () => {
  const tile: Tile = { TM: 4, TN: 1, WX: 8, WY: 8, WK: 1, BK: 8, STAGED: true, SPLIT: false };
  describe.each([
    ['pixels in vec4', even],
    ['pixels one by one', odd],
  ] as const)('%s', (_, problem) => {
    test.each(DIRECTIONS)('%s', async (direction) => {
      const setting = await settingOf(problem);
      const way = { tile, threads: 'per_element', bytes: 24000 } as const;
      const launch = { fprop: fpropBy, dgrad: dgradBy, wgrad: wgradBy }[direction](setting, way);
      await expectLaunch(algorithm, problem, direction, launch, true);
    });
  });
});

describe('the size of a launch is free', () => {
  describe.each<LaunchSize>([{ threads: 37 }, { threads: 37, workgroups: 3 }, { workgroups: 1 }])(
    '%o',
    (launchSize) => {
      test.each(DIRECTIONS)('%s', async (direction) => {
        const setting = { ...(await settingOf(odd)), launchSize };
        const both = launchesOf(algorithm, setting, direction).slice(0, 2);
        expect(both.map(({ name }) => /(\d+ )?workgroups of \d+/.exec(name)?.[0])).toEqual(
          both.map(() => expect.any(String)),
        );
        for (const launch of both) await expectLaunch(algorithm, odd, direction, launch, true);
      });
    },
  );

  test('within the limits of the device', async () => {
    const setting = await settingOf(odd);
    const most = setting.device.limit('maxComputeInvocationsPerWorkgroup');
    const reason = (launchSize: LaunchSize) => algorithm.unsupported({ ...setting, launchSize }, 'fprop');
    expect([reason({}), reason({ threads: most, workgroups: 65535 })]).toEqual([undefined, undefined]);
    expect(reason({ threads: most + 1 })).toBe(
      `it supports 1 to ${most} threads per workgroup on this device, got ${most + 1}`,
    );
    expect(reason({ threads: 2.5 })).toMatch(/got 2.5/);
    expect(reason({ workgroups: 0 })).toBe('it supports 1 to 65535 workgroups on this device, got 0');
  });
});
