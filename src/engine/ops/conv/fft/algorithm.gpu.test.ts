import { describe, expect, test } from 'vitest';
import { expectLaunch, settingOf } from '../../../testing/conv.ts';
import fft from '../algorithms/fft/index.ts';
import fftTiling from '../algorithms/fft_tiling/index.ts';
import { convProblem, DIRECTIONS, type ConvSizes } from '../problem.ts';
import { launchesOf } from '../run.ts';

const small = { N: 1, C: 2, H: 9, W: 8, K: 3, R: 3, S: 3 };

describe.each([fft, fftTiling])('$name', (algorithm) => {
  test.each(DIRECTIONS)('takes a few images at a time where there is little room: %s', async (direction) => {
    const problem = convProblem({ ...small, N: 5 });
    const whole = await settingOf(problem);
    for (const { name, workspaceBytes } of launchesOf(algorithm, whole, direction)) {
      // Room for three images and not for four: two are left for the end.
      const setting = { ...whole, workspace: workspaceBytes * 0.7 };
      const launch = launchesOf(algorithm, setting, direction).find((other) => other.name === name);
      expect(launch?.workspaceBytes).toBeLessThanOrEqual(setting.workspace);
      if (launch) await expectLaunch(algorithm, problem, direction, launch, true);
    }
  });

  test('says that there is no room', async () => {
    const setting = { ...(await settingOf(convProblem(small))), workspace: 10000 };
    for (const direction of DIRECTIONS) {
      expect(algorithm.unsupported(setting, direction)).toMatch(/1 MB of workspace.* the limit is 1 MB$/);
      expect(launchesOf(algorithm, setting, direction)).toEqual([]);
    }
  });

  test.each<[string, ConvSizes, RegExp]>([
    ['strides', { ...small, stride: [1, 2] }, /the stride is 1x2$/],
    ['dilations', { ...small, dilation: [2, 1] }, /the dilation is 2x1$/],
    [
      'too many groups',
      { ...small, C: 512, K: 512, groups: 512 },
      /^it multiplies matrices .* 65535 at once$/,
    ],
  ])('says that it has no %s', async (_, sizes, reason) => {
    const setting = await settingOf(convProblem(sizes));
    for (const direction of DIRECTIONS) expect(algorithm.unsupported(setting, direction)).toMatch(reason);
  });
});

test('fft says that images are too large', async () => {
  const setting = await settingOf(convProblem({ ...small, H: 257 }));
  expect(fft.unsupported(setting, 'fprop')).toBe(
    'it transforms up to 256x256 points, and this image takes 512x16',
  );
});

test('fft_tiling says that filters are too large', async () => {
  const setting = await settingOf(convProblem({ ...small, H: 40, R: 32 }));
  expect(fftTiling.unsupported(setting, 'fprop')).toBe(
    'filters have to be smaller than its tiles of 32x32, and this one is 32x3',
  );
});
