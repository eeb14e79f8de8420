import { describe, expect, test } from 'vitest';
import { expectWithin, processorTime } from '../../../../base/testing/processor-time.ts';
import { testDevice } from '../../../testing/gpu.ts';
import { CONV_PROBLEMS } from '../../../testing/problems.ts';
import { convAlgorithms } from '../algorithms/index.ts';
import { convProblem, DIRECTIONS, parseProblem } from '../problem.ts';
import { DEFAULT_WORKSPACE, launchesOf, whyNot } from '../run.ts';
import { get } from './get.ts';

/** The device, or a copy that reports itself as a GPU: predictions do no work on it. */
const devices = async () => {
  const device = await testDevice();
  const gpu = Object.create(device, {
    adapter: { value: { ...device.adapter, software: false } },
  }) as typeof device;
  return [device, gpu];
};

describe.each(DIRECTIONS)('get, %s', (direction) => {
  test.each(CONV_PROBLEMS)('$name: predicts a launch that there is', async ({ problem }) => {
    for (const device of await devices()) {
      for (const workspace of [DEFAULT_WORKSPACE, 0]) {
        const { algorithm, launch } = get(device, problem, direction, { workspace });
        const setting = { device, problem, workspace, number: 'f32' } as const;
        const one = convAlgorithms.get(algorithm);
        expect(whyNot(one, setting, direction)).toBeUndefined();
        expect(launchesOf(one, setting, direction).map(({ name }) => name)).toContain(launch);
      }
    }
  });
});

describe('get', () => {
  const problem = convProblem({ N: 32, C: 64, H: 56, W: 56, K: 64, R: 3, S: 3, padding: [1, 1] });

  test('takes the next one if a launch is excluded or not allowed', async () => {
    for (const device of await devices()) {
      const first = get(device, problem, 'fprop');
      const second = get(device, problem, 'fprop', { exclude: (_, launch) => launch === first.launch });
      expect(second.launch).not.toBe(first.launch);
      expect(get(device, problem, 'fprop', { algorithms: ['direct'] }).algorithm).toBe('direct');
      expect(() => get(device, problem, 'fprop', { exclude: () => true })).toThrow(
        /^none of .* supports this fprop/,
      );
    }
  });

  /** The fastest of at least twelve variants on an NVIDIA H200: see bench/NOTES.md. */
  test.each([
    ['n128 c1 28x28 k6 5x5 p2', 'wgrad', 'implicit_gemm'],
    ['n128 c6 14x14 k16 5x5', 'dgrad', 'im2col_gemm'],
    ['n128 c16 32x32 k32 1x1 s2', 'dgrad', 'implicit_gemm'],
    ['n128 c16 32x32 k32 3x3 s2 p1', 'dgrad', 'implicit_gemm'],
    ['n128 c64 32x32 k128 1x1 s2', 'dgrad', 'implicit_gemm'],
  ] as const)('on a large GPU, of %s, %s is by %s', async (sizes, direction, fastest) => {
    const [device] = await devices();
    const limits: Partial<Record<Parameters<typeof device.limit>[0], number>> = {
      maxComputeInvocationsPerWorkgroup: 1024,
      maxComputeWorkgroupSizeX: 1024,
      maxComputeWorkgroupStorageSize: 49152,
    };
    const large = Object.create(device, {
      adapter: { value: { ...device.adapter, software: false, cpu: false } },
      limit: { value: (name: keyof typeof limits) => limits[name] ?? device.limit(name) },
    }) as typeof device;
    expect(get(large, parseProblem(sizes), direction).algorithm).toBe(fastest);
  });

  test('is fast', async () => {
    const [, gpu] = await devices();
    const start = processorTime();
    for (let i = 0; i < 100; i++) get(gpu, problem, 'wgrad');
    expectWithin(500, start);
  });
});
