import { describe, expect, test } from 'vitest';
import { expectLaunch, settingOf, testConvAlgorithm } from '../../../../testing/conv.ts';
import { asIfOn, testDevice } from '../../../../testing/gpu.ts';
import { CONV_PROBLEMS } from '../../../../testing/problems.ts';
import { launchesOf } from '../../run.ts';
import { convProblem, DIRECTIONS, parseProblem, type ProblemSizes, type Direction } from '../../problem.ts';
import { asDgrad, dgradOf, fpropOf } from './correlation.ts';
import { blocked, BLOCKS, type DirectBlock } from './blocked.ts';
import { ladder, TUNED, WHOLE } from './ladder.ts';
import { NAMES } from './names.ts';
import algorithm from './index.ts';

testConvAlgorithm(algorithm);

/** Launches that real GPUs use, but software adapters do not predict. */
describe('several outputs per thread', () => {
  const problem = convProblem({ N: 2, C: 18, H: 7, W: 21, K: 10, R: 3, S: 2, padding: [1, 1], groups: 2 });
  const only = (wanted: Partial<DirectBlock>) =>
    BLOCKS.filter((block) =>
      Object.entries(wanted).every(([key, value]) => block[key as keyof DirectBlock] === value),
    );
  test.each(only({ WZ: 1, ROWS: 4 }))('%o', async (block) => {
    const setting = await settingOf(problem);
    const launch = blocked(fpropOf(setting), block);
    await expectLaunch(algorithm, problem, 'fprop', launch, true);
  });
  test.each(only({ WX: 4 }))('%o, dgrad', async (block) => {
    const correlation = dgradOf(await settingOf(problem));
    expect(correlation).toBeDefined();
    const launch = asDgrad(blocked(correlation!, block));
    await expectLaunch(algorithm, problem, 'dgrad', launch, true);
  });
});

/** GPUs try tiles that fit the layer; a software adapter tries one. */
describe('tiles of a small network’s layers', () => {
  test.each([
    { layer: 'c1 48x48 k6 5x5', tiles: ['11 high, 22 wide', '15 high, 15 wide'] },
    { layer: 'c6 22x22 k16 5x5', tiles: ['9 high, 18 wide', '18 high, 9 wide'] },
  ])('$layer', async ({ layer, tiles }) => {
    const problem = parseProblem(`n1 ${layer}`);
    const onSwiftShader = (await testDevice()).adapter.software;
    await asIfOn('a GPU', async () => {
      const launches = launchesOf(algorithm, await settingOf(problem), 'fprop');
      for (const name of [NAMES.uniform, NAMES.whole]) {
        const tuned = launches.filter((launch) => launch.name.startsWith(`${name}, tile`));
        const fitted = tuned.filter((launch) => tiles.some((tile) => launch.name.endsWith(tile)));
        expect(fitted).toHaveLength(tiles.length);
        for (const launch of onSwiftShader ? fitted.slice(0, 1) : tuned)
          await expectLaunch(algorithm, problem, 'fprop', launch, true);
      }
    });
  });
});

describe('the ladder', () => {
  const steps = async (sizes: Partial<ProblemSizes>, direction: Direction) => {
    const problem = convProblem({ N: 1, C: 4, H: 20, W: 20, K: 8, R: 3, S: 3, padding: [1, 1], ...sizes });
    const names = launchesOf(algorithm, await settingOf(problem), direction).map(({ name }) => name);
    return ladder(direction, names).map(({ step }) => step);
  };
  const all = [NAMES.plain, NAMES.tile, NAMES.staged, NAMES.uniform, TUNED, WHOLE, NAMES.blocked];

  test('starts at the lowest rung, and has a rung for every launch', async () => {
    expect(await steps({}, 'fprop')).toEqual(all);
    expect(await steps({}, 'dgrad')).toEqual(all);
    expect(await steps({}, 'wgrad')).toEqual([NAMES.weight, NAMES.shared, NAMES.row]);
    for (const { problem } of CONV_PROBLEMS) {
      for (const direction of DIRECTIONS) {
        const names = launchesOf(algorithm, await settingOf(problem), direction).map(({ name }) => name);
        const rungs = ladder(direction, names);
        expect(rungs.flatMap(({ launches }) => launches).sort()).toEqual(names.sort());
        for (const { why } of rungs) expect(why).toMatch(/^[A-Z].*\.$/);
      }
    }
  });

  test('omits launches that do not fit', async () => {
    // 64 KiB of weights fit, and not one more.
    expect(await steps({ K: 64, C: 64, R: 2, S: 2 }, 'fprop')).toEqual(all);
    expect(await steps({ K: 65, C: 64, R: 2, S: 2 }, 'fprop')).toEqual([...all.slice(0, 3), NAMES.blocked]);
    // All channels of a tile, in less than 16 KiB; and more than any workgroup's memory.
    const many = await steps({ C: 1000, K: 1 }, 'fprop');
    for (const step of [NAMES.staged, WHOLE]) expect(many).not.toContain(step);
    // One channel is all channels.
    expect(await steps({ C: 1 }, 'fprop')).toEqual(all);
    // Tiles of input larger than any workgroup's memory.
    const far = { H: 600, W: 600, stride: [50, 50], padding: [0, 0] } as const;
    expect(await steps(far, 'fprop')).toEqual([NAMES.plain]);
    // Gradients that are not a convolution of dy.
    expect(await steps({ stride: [1, 2] }, 'dgrad')).toEqual([NAMES.plain]);
    expect(await steps({ padding: [3, 1] }, 'dgrad')).toEqual([NAMES.plain]);
    // More weights than a workgroup has threads.
    expect(await steps({ R: 9, S: 9, padding: [4, 4] }, 'wgrad')).toEqual([NAMES.weight, NAMES.row]);
  });
});
