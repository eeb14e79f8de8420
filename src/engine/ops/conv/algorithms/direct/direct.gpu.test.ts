import { describe, expect, test } from 'vitest';
import { expectLaunch, settingOf, testConvAlgorithm } from '../../../../testing/conv.ts';
import { CONV_PROBLEMS } from '../../../../testing/problems.ts';
import { launchesOf } from '../../run.ts';
import { convProblem, DIRECTIONS, type ConvSizes, type Direction } from '../../problem.ts';
import { asDgrad, dgradOf, fpropOf } from './correlation.ts';
import { blocked, BLOCKS, type Block } from './blocked.ts';
import { ladder } from './ladder.ts';
import { NAMES } from './names.ts';
import algorithm from './index.ts';

testConvAlgorithm(algorithm);

/** Launches that real GPUs use, but software adapters do not predict. */
describe('several outputs per thread', () => {
  const problem = convProblem({ N: 2, C: 18, H: 7, W: 21, K: 10, R: 3, S: 2, padding: [1, 1], groups: 2 });
  const only = (wanted: Partial<Block>) =>
    BLOCKS.filter((block) =>
      Object.entries(wanted).every(([key, value]) => block[key as keyof Block] === value),
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

describe('the ladder', () => {
  const steps = async (sizes: Partial<ConvSizes>, direction: Direction) => {
    const problem = convProblem({ N: 1, C: 4, H: 20, W: 20, K: 8, R: 3, S: 3, padding: [1, 1], ...sizes });
    const names = launchesOf(algorithm, await settingOf(problem), direction).map(({ name }) => name);
    return ladder(direction, names).map(({ step }) => step);
  };
  const all = [
    NAMES.plain,
    NAMES.tile,
    NAMES.staged,
    NAMES.uniform,
    'tile width tuned for the layer',
    NAMES.blocked,
  ];

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
    // All channels of a tile, in less than 16 KiB; and more than any workgroup's memory. One channel is all channels.
    expect(await steps({ C: 1 }, 'fprop')).not.toContain(NAMES.staged);
    expect(await steps({ C: 1000, K: 1 }, 'fprop')).not.toContain(NAMES.staged);
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
