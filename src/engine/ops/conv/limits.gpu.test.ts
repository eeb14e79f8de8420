import { beforeAll, describe, expect, test } from 'vitest';
import { expectLaunch, judgeLaunches, settingOf, type Ran } from '../../testing/conv.ts';
import { expectedReason } from '../../testing/conv-support.ts';
import { asIfOn, atLimits, testDevice } from '../../testing/gpu.ts';
import { CONV_PROBLEMS } from '../../testing/problems.ts';
import direct from './algorithms/direct/index.ts';
import { NAMES } from './algorithms/direct/names.ts';
import implicitGemm from './algorithms/implicit_gemm/index.ts';
import { convAlgorithms } from './algorithms/index.ts';
import { convProblem, DIRECTIONS, type ConvProblem } from './problem.ts';
import { launchesOf, whyNot } from './run.ts';

const named = (name: string): ConvProblem => {
  const found = CONV_PROBLEMS.find((one) => one.name === name);
  if (!found) throw new Error(`no problem named "${name}"`);
  return found.problem;
};

/** Together they use every algorithm. */
const PROBLEMS = [
  named('everything unequal'),
  convProblem({ N: 2, C: 8, H: 9, W: 10, K: 12, R: 3, S: 3, padding: [1, 1] }),
  convProblem({ N: 2, C: 4, H: 11, W: 9, K: 8, R: 5, S: 5, padding: [2, 2] }),
  convProblem({ N: 2, C: 8, H: 5, W: 6, K: 12, R: 1, S: 1 }),
];

/** What ran within narrower limits runs within wider ones. */
const ran: Ran = new Set();

/** 128 threads, or 256; 16 KiB of workgroup memory, 8 storage buffers: every algorithm has launches within these limits. */
describe.each(['compatibility', 'default'] as const)('limits: %s', (limits) => {
  beforeAll(() => atLimits(limits));

  test('weights in a uniform, where it has room for them', async () => {
    const weights = (C: number) => convProblem({ N: 1, C, H: 8, W: 8, K: 32, R: 3, S: 3 });
    const launches = async (C: number) => direct.fprop(await settingOf(weights(C))).map(({ name }) => name);
    const uniform = expect.stringContaining(NAMES.uniform) as string;
    // 15, 48 and 96 KiB.
    expect(await launches(10)).toContainEqual(uniform);
    if (limits === 'default') expect(await launches(32)).toContainEqual(uniform);
    else expect(await launches(32)).not.toContainEqual(uniform);
    expect(await launches(64)).not.toContainEqual(uniform);
  });

  test.each(DIRECTIONS)('few filters, their sums shared as GPUs do it, %s', async (direction) => {
    const problem = convProblem({ N: 4, C: 2, H: 20, W: 20, K: 8, R: 5, S: 5, padding: [2, 2] });
    const onSwiftShader = (await testDevice()).adapter.software;
    await asIfOn('a GPU', async () => {
      const setting = await settingOf(problem);
      const shared = launchesOf(implicitGemm, setting, direction).filter(({ name }) => /unstaged/.test(name));
      expect(shared).not.toEqual([]);
      for (const launch of onSwiftShader ? shared.slice(0, 1) : shared)
        await expectLaunch(implicitGemm, problem, direction, launch, true);
    });
  });

  describe.each(convAlgorithms.all())('$name', (algorithm) => {
    test.each(DIRECTIONS)('%s', async (direction) => {
      const { software } = (await testDevice()).adapter;
      let launches = 0;
      for (const problem of PROBLEMS) {
        const setting = await settingOf(problem);
        const reason = whyNot(algorithm, setting, direction);
        const expected = expectedReason(algorithm.name, problem, direction);
        if (expected !== undefined) {
          expect(reason).toMatch(expected);
          continue;
        }
        expect(reason).toBeUndefined();
        const first = launches === 0;
        launches += launchesOf(algorithm, setting, direction).length;
        // SwiftShader, which is slow, runs one launch of each algorithm; the CPU engine runs all of both.
        if (software && !first) continue;
        const judging = { extras: true, every: !software, onSwiftShader: true, ran };
        await judgeLaunches(algorithm, setting, direction, judging);
      }
      expect(launches).toBeGreaterThan(0);
    });
  });
});
