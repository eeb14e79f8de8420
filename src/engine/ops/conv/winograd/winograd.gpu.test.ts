/** What the awkward problems do not reach: chunks of images, little workspace, and the launches of real GPUs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLaunch, settingOf } from '../../../testing/conv.ts';
import { testDevice } from '../../../testing/gpu.ts';
import winogradF2x3 from '../algorithms/winograd_f2x3/index.ts';
import winogradF4x3 from '../algorithms/winograd_f4x3/index.ts';
import winogradF4x5 from '../algorithms/winograd_f4x5/index.ts';
import { convProblem, DIRECTIONS } from '../problem.ts';
import { launchesOf, whyNot } from '../run.ts';
import { chunks } from './chunks.ts';

const PADDED = { padding: [1, 1] } as const;

describe('images some at a time', () => {
  test('cover all', () => {
    expect(chunks(7, 3)).toEqual([
      { first: 0, images: 3 },
      { first: 3, images: 3 },
      { first: 6, images: 1 },
    ]);
    expect(chunks(4, 4)).toEqual([{ first: 0, images: 4 }]);
  });

  describe.each([winogradF2x3, winogradF4x5])('$name', (algorithm) => {
    const problem =
      algorithm === winogradF2x3
        ? convProblem({ N: 7, C: 5, H: 7, W: 9, K: 6, R: 3, S: 3, ...PADDED })
        : convProblem({ N: 5, C: 4, H: 10, W: 8, K: 6, R: 5, S: 5, padding: [1, 2] });

    test.each(DIRECTIONS)('%s where workspace is short', async (direction) => {
      const plenty = await settingOf(problem);
      const whole = launchesOf(algorithm, plenty, direction)[0].workspaceBytes;
      const setting = { ...plenty, workspace: Math.floor(whole * 0.6) };
      expect(whyNot(algorithm, setting, direction)).toBeUndefined();
      const launch = launchesOf(algorithm, setting, direction)[0];
      expect(launch.name).toMatch(/images at a time$/);
      expect(launch.workspaceBytes).toBeLessThanOrEqual(setting.workspace);
      await checkLaunch(algorithm, problem, direction, launch, true);
    });

    test.each(DIRECTIONS)('%s where no image fits', async (direction) => {
      const setting = { ...(await settingOf(problem)), workspace: 1000 };
      expect(whyNot(algorithm, setting, direction)).toMatch(/^even one image at a time needs .* MiB/);
    });
  });
});

describe('on real GPUs', () => {
  // A software adapter would never run what they do.
  let software: boolean;
  beforeAll(async () => {
    const { adapter } = await testDevice();
    ({ software } = adapter);
    adapter.software = false;
  });
  afterAll(async () => {
    (await testDevice()).adapter.software = software;
  });

  const large = convProblem({ N: 128, C: 128, H: 16, W: 16, K: 128, R: 3, S: 3, ...PADDED });

  test.each(DIRECTIONS)('%s: every launch keeps to the workspace', async (direction) => {
    for (const workspace of [64, 24, 12].map((mebibytes) => mebibytes * 2 ** 20)) {
      const setting = { ...(await settingOf(large)), workspace };
      const launches = launchesOf(winogradF4x3, setting, direction);
      expect(launches.length).toBeGreaterThan(1);
      for (const { workspaceBytes } of launches) expect(workspaceBytes).toBeLessThanOrEqual(workspace);
      expect(new Set(launches.map(({ name }) => name)).size).toBe(launches.length);
    }
  });

  test('the cache has launches of its own', async () => {
    const setting = { ...(await settingOf(large)), workspace: 128 * 2 ** 20 };
    const names = launchesOf(winogradF4x3, setting, 'fprop').map(({ name }) => name);
    expect(names.some((name) => name.endsWith('images at a time'))).toBe(true);
    expect(names.some((name) => !name.endsWith('images at a time'))).toBe(true);
  });

  const small = convProblem({ N: 3, C: 20, H: 9, W: 8, K: 36, R: 3, S: 3, ...PADDED });

  test.each(DIRECTIONS)('%s: the first launch', async (direction) => {
    const launch = launchesOf(winogradF2x3, await settingOf(small), direction)[0];
    await checkLaunch(winogradF2x3, small, direction, launch, true);
  });
});
