import { describe, expect, test } from 'vitest';
import { expectLaunch, settingOf, testConvAlgorithm } from '../../../../testing/conv.ts';
import algorithms from './index.ts';
import { convProblem, DIRECTIONS, type ProblemSizes } from '../../problem.ts';
import { launchesOf } from '../../run.ts';

const [fft, fftTiling] = algorithms;

testConvAlgorithm(fft, [
  {
    // With few channels, before a problem with many, for SwiftShader, which runs all code once.
    name: 'rows of 131',
    problem: convProblem({ N: 1, C: 2, H: 1, W: 131, K: 3, R: 1, S: 3 }),
  },
]);
testConvAlgorithm(fftTiling, [
  {
    name: 'a filter for tiles of 32',
    problem: convProblem({ N: 2, C: 2, H: 21, W: 12, K: 3, R: 17, S: 2, padding: [9, 1] }),
  },
]);

const small = { N: 1, C: 2, H: 9, W: 8, K: 3, R: 3, S: 3 };

describe.each(algorithms)('$name', (algorithm) => {
  test.each(DIRECTIONS)('takes a few images at a time where there is little room: %s', async (direction) => {
    const problem = convProblem({ ...small, N: 5 });
    const whole = await settingOf(problem);
    for (const { name, workspaceBytes } of launchesOf(algorithm, whole, direction)) {
      // Workspace for three images but not for four: the last chunk has two.
      const setting = { ...whole, workspace: workspaceBytes * 0.7 };
      const launch = launchesOf(algorithm, setting, direction).find((other) => other.name === name);
      expect(launch?.workspaceBytes).toBeLessThanOrEqual(setting.workspace);
      if (launch) await expectLaunch(algorithm, problem, direction, launch, true);
    }
  });

  test('reports too little workspace', async () => {
    const setting = { ...(await settingOf(convProblem(small))), workspace: 10000 };
    for (const direction of DIRECTIONS) {
      expect(algorithm.unsupported(setting, direction)).toMatch(/1 MB of workspace.* limit 1 MB$/);
      expect(launchesOf(algorithm, setting, direction)).toEqual([]);
    }
  });

  test.each<[string, ProblemSizes, RegExp]>([
    ['strides', { ...small, stride: [1, 2] }, /requires stride 1, got 1x2$/],
    ['dilations', { ...small, dilation: [2, 1] }, /does not support dilation, got 2x1$/],
    [
      'too many groups',
      { ...small, C: 512, K: 512, groups: 512 },
      /matrix multiplications per dispatch, limit 65535$/,
    ],
  ])('says that it has no %s', async (_, sizes, reason) => {
    const setting = await settingOf(convProblem(sizes));
    for (const direction of DIRECTIONS) expect(algorithm.unsupported(setting, direction)).toMatch(reason);
  });
});

test('fft reports images that are too large', async () => {
  const setting = await settingOf(convProblem({ ...small, H: 257 }));
  expect(fft.unsupported(setting, 'fprop')).toBe(
    'it supports transforms up to 256x256, and this image needs 512x16',
  );
});

test('fft_tiling reports filters that are too large', async () => {
  const setting = await settingOf(convProblem({ ...small, H: 40, R: 32 }));
  expect(fftTiling.unsupported(setting, 'fprop')).toBe('it requires filters smaller than 32x32, got 32x3');
});
