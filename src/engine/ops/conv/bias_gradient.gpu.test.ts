import { beforeAll, describe, expect, test } from 'vitest';
import { expectExact } from '../../testing/check.ts';
import { settingOf } from '../../testing/conv.ts';
import { integers } from '../../testing/fixtures.ts';
import { atLimits, runPlan, testDevice, pretend } from '../../testing/gpu.ts';
import { biasGradientBytes, planBiasGradient } from './bias_gradient.ts';
import { convProblem, outputShape } from './problem.ts';
import { convBiasGradient } from './reference.ts';

const problems = [
  { N: 1, C: 1, H: 1, W: 1, K: 1, R: 1, S: 1 },
  { N: 3, C: 1, H: 5, W: 7, K: 9, R: 1, S: 1 },
  { N: 2, C: 1, H: 6, W: 6, K: 300, R: 1, S: 1 },
  { N: 70, C: 1, H: 12, W: 10, K: 3, R: 1, S: 1 },
  { N: 67, C: 1, H: 9, W: 9, K: 5, R: 1, S: 1 },
].map(convProblem);

// A software adapter would not choose the launches of real GPUs.
describe.each([
  { software: true, limits: undefined },
  { software: false, limits: undefined },
  { software: false, limits: 'compatibility' },
] as const)('adapter is software: $software, limits: $limits', ({ software, limits }) => {
  beforeAll(() => (limits ? atLimits(limits) : undefined));

  test.each(problems)('N $N, K $K, H $H', async (problem) => {
    const device = await testDevice();
    const restore = pretend(device.adapter, software);
    try {
      const setting = await settingOf(problem);
      const dy = integers(1, outputShape(problem));
      const { db } = await runPlan({
        inputs: { dy },
        outputs: { db: [problem.K] },
        workspace: biasGradientBytes(setting),
        build: (plan, t) => planBiasGradient(plan, 'bias', setting, t.dy, t.db),
      });
      expectExact('db', db, convBiasGradient(problem, dy.data));
    } finally {
      restore();
    }
  });
});

test('long sums are sliced', async () => {
  expect(biasGradientBytes(await settingOf(problems[3]))).toBeGreaterThan(0);
});
