import { beforeAll, describe, expect, test } from 'vitest';
import { expectLaunch, settingOf } from '../../testing/conv.ts';
import { expectedReason } from '../../testing/conv-support.ts';
import { atDefaultLimits } from '../../testing/gpu.ts';
import { CONV_PROBLEMS } from '../../testing/problems.ts';
import implicitGemm from './algorithms/implicit_gemm/index.ts';
import { convAlgorithms } from './algorithms/index.ts';
import { convProblem, DIRECTIONS, type ConvProblem } from './problem.ts';
import { launchesOf, whyNot } from './run.ts';

/** 16 KiB of workgroup memory, 256 threads, 8 storage buffers: every algorithm has launches within these limits. */
beforeAll(atDefaultLimits);

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

test.each(DIRECTIONS)('few filters, their sums shared as GPUs do it, %s', async (direction) => {
  const problem = convProblem({ N: 4, C: 2, H: 20, W: 20, K: 8, R: 5, S: 5, padding: [2, 2] });
  const setting = await settingOf(problem);
  const { adapter } = setting.device;
  adapter.software = false;
  try {
    const shared = launchesOf(implicitGemm, setting, direction).filter(({ name }) => /unstaged/.test(name));
    expect(shared).not.toEqual([]);
    for (const launch of shared) await expectLaunch(implicitGemm, problem, direction, launch, true);
  } finally {
    adapter.software = true;
  }
});

describe.each(convAlgorithms.all())('$name at default limits', (algorithm) => {
  test.each(DIRECTIONS)('%s', async (direction) => {
    let ran = 0;
    for (const problem of PROBLEMS) {
      const setting = await settingOf(problem);
      const reason = whyNot(algorithm, setting, direction);
      const expected = expectedReason(algorithm.name, problem, direction);
      if (expected !== undefined) {
        expect(reason).toMatch(expected);
        continue;
      }
      expect(reason).toBeUndefined();
      for (const launch of launchesOf(algorithm, setting, direction)) {
        await expectLaunch(algorithm, problem, direction, launch, true);
        ran++;
      }
    }
    expect(ran).toBeGreaterThan(0);
  });
});
