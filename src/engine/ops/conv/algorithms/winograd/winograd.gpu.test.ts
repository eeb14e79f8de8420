/**
 * The awkward problems, and cases that they do not cover: chunks of images, little workspace, launches of real GPUs.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectLaunch, judgeLaunch, settingOf, testConvAlgorithm } from '../../../../testing/conv.ts';
import { testDevice, pretend } from '../../../../testing/gpu.ts';
import { inLayout } from '../../layout.ts';
import { convProblem, DIRECTIONS } from '../../problem.ts';
import { launchesOf, whyNot } from '../../run.ts';
import { chunks, mostImages } from './chunks.ts';
import { F2X3 } from './cook_toom.ts';
import algorithms, { winograd } from './index.ts';

const [winogradF2x3, winogradF4x3, , winogradF4x5] = algorithms;

/** In dgrad, the phases of a stride meet parts of the filter: here of 3x3, 3x3 and 5x5. */
const STRIDED = [
  { name: '5x5 filter, stride 2', N: 2, C: 3, H: 9, W: 8, K: 5, R: 5, S: 5, stride: [2, 2], padding: [2, 2] },
  {
    name: '9x6 filter, strides 3 and 2, four paddings, groups',
    N: 2,
    C: 4,
    H: 13,
    W: 9,
    K: 6,
    R: 9,
    S: 6,
    groups: 2,
    stride: [3, 2],
    padding: { top: 4, bottom: 1, left: 0, right: 3 },
  },
  {
    name: '10x9 filter, stride 2',
    N: 1,
    C: 2,
    H: 15,
    W: 14,
    K: 3,
    R: 10,
    S: 9,
    stride: [2, 2],
    padding: [1, 0],
  },
] as const;

for (const algorithm of algorithms) {
  testConvAlgorithm(
    algorithm,
    STRIDED.map(({ name, ...sizes }) => ({ name, problem: convProblem(sizes) })),
  );
}

const PADDED = { padding: [1, 1] } as const;

/** SwiftShader has run the same kernels above; the CPU engine runs every chunk. */
const EXTRAS = { extras: true, always: !(await testDevice()).adapter.software };

describe('chunks of images', () => {
  test('cover all images', () => {
    expect(chunks(7, 3)).toEqual([
      { first: 0, count: 3 },
      { first: 3, count: 3 },
      { first: 6, count: 1 },
    ]);
    expect(chunks(4, 4)).toEqual([{ first: 0, count: 4 }]);
  });

  test('have even sizes', () => {
    const atMost = (most: number) => (images: number) => images <= most;
    const never = () => false;
    const even = (images: number) => images % 2 === 0;
    expect(mostImages(64, atMost(100), never)).toBe(64);
    expect(mostImages(64, atMost(30), never)).toBe(22);
    expect(mostImages(50, atMost(20), never)).toBe(17);
    expect(mostImages(50, atMost(20), even)).toBe(18);
    expect(mostImages(50, atMost(17), even)).toBe(17);
    expect(mostImages(7, atMost(0), even)).toBeUndefined();
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
      await judgeLaunch(algorithm, setting, direction, launch, EXTRAS);
    });

    test.each(DIRECTIONS)('%s where no image fits', async (direction) => {
      const setting = { ...(await settingOf(problem)), workspace: 1000 };
      expect(whyNot(algorithm, setting, direction)).toMatch(
        /^it needs .* MiB of workspace even for one image/,
      );
    });
  });
});

test.each([winogradF2x3, winogradF4x5])('$name: wgrad for some filters at a time', async (algorithm) => {
  const size = algorithm === winogradF2x3 ? 3 : 5;
  const problem = convProblem({ N: 3, C: 6, H: 9, W: 8, K: 20, R: size, S: size, padding: [1, 2] });
  for (const layout of ['nchw', 'nhwc'] as const) {
    const plenty = await settingOf(inLayout(problem, layout));
    const whole = launchesOf(algorithm, plenty, 'wgrad')[0].workspaceBytes;
    const setting = { ...plenty, workspace: Math.floor(whole * 0.8) };
    const launches = launchesOf(algorithm, setting, 'wgrad');
    const launch = launches.find(({ name }) => name.endsWith('filters at a time'));
    expect(launch?.workspaceBytes).toBeLessThanOrEqual(setting.workspace);
    if (launch) await judgeLaunch(algorithm, setting, 'wgrad', launch, EXTRAS);
  }
});

test('wgrad for one image and some filters at a time, where all filters of one image do not fit', async () => {
  const problem = convProblem({ N: 2, C: 6, H: 9, W: 8, K: 16, R: 3, S: 3, padding: [1, 1] });
  const plenty = await settingOf(problem);
  const launches = Array.from({ length: 40 }, (_, i) => ({ ...plenty, workspace: 45000 - 1000 * i })).flatMap(
    (setting) => launchesOf(winogradF4x3, setting, 'wgrad'),
  );
  const launch = launches.find(({ name }) => name.endsWith('filters at a time, 1 images at a time'));
  expect(launch).toBeDefined();
  if (launch) await judgeLaunch(winogradF4x3, plenty, 'wgrad', launch, EXTRAS);
});

describe('on real GPUs', () => {
  // A software adapter would not choose their launches.
  let restore: () => void;
  beforeAll(async () => {
    restore = pretend((await testDevice()).adapter, false);
  });
  afterAll(() => restore());

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

  test('there are launches for the cache', async () => {
    const setting = { ...(await settingOf(large)), workspace: 128 * 2 ** 20 };
    const names = launchesOf(winogradF4x3, setting, 'fprop').map(({ name }) => name);
    expect(names.some((name) => name.endsWith('images at a time'))).toBe(true);
    expect(names.some((name) => !name.endsWith('images at a time'))).toBe(true);
  });

  const small = convProblem({ N: 3, C: 20, H: 9, W: 8, K: 36, R: 3, S: 3, ...PADDED });

  test.each(DIRECTIONS)('%s: the first that is not fused', async (direction) => {
    const launches = launchesOf(winogradF2x3, await settingOf(small), direction);
    const launch = launches.find(({ name }) => name.startsWith('non-fused'));
    expect(launch).toBeDefined();
    if (launch) await expectLaunch(winogradF2x3, small, direction, launch, true);
  });

  test('fused launches respect the limits of the device', async () => {
    const setting = await settingOf(small);
    const fused = (threads: number) => {
      const limits: Record<string, number> = {
        maxComputeWorkgroupStorageSize: 16384,
        maxComputeInvocationsPerWorkgroup: threads,
        maxComputeWorkgroupSizeX: threads,
      };
      const device = Object.create(setting.device, {
        limit: {
          value: (name: Parameters<typeof setting.device.limit>[0]) =>
            limits[name] ?? setting.device.limit(name),
        },
      }) as typeof setting.device;
      const names = winogradF2x3.fprop({ ...setting, device }).map(({ name }) => name);
      return names.filter((name) => name.startsWith('fused'));
    };
    expect(fused(256)).toEqual(['fused, 32 filters x 32 tiles x 4 channels']);
    expect(fused(128)).toEqual([
      'fused, 16 filters x 32 tiles x 4 channels',
      'fused, 8 filters x 32 tiles x 4 channels',
    ]);
  });
});

// Turns and rows as on real GPUs, in a block that a software adapter compiles in a second.
describe('fused, several filters a turn', () => {
  const problem = convProblem({ N: 3, C: 12, H: 7, W: 6, K: 38, R: 3, S: 3, ...PADDED, groups: 2 });
  const algorithm = winograd(F2X3, {
    ...winogradF2x3,
    blocks: () => [{ TM: 8, TN: 4, WX: 2, WY: 2, STEP: 4 }],
  });

  test.each(['fprop', 'dgrad'] as const)('%s', async (direction) => {
    const launches = launchesOf(algorithm, await settingOf(problem), direction);
    const fused = launches.filter(({ name }) => name.startsWith('fused'));
    expect(fused.map(({ name }) => name)).toEqual(['fused, 16 filters x 8 tiles x 4 channels']);
    await expectLaunch(algorithm, problem, direction, fused[0], true);
  });
});
