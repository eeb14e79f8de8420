import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { V8_OPTIONS } from './scripts/v8-options.mjs';

/** What judges kernels: on WebGPU, and again on the CPU engine. */
const KERNELS = ['src/{engine,kernel-lessons}/**/*.gpu.test.ts', 'src/train/golden.gpu.test.ts'];
/** What is above them is the same on every device, so it runs on the one that is fast without a GPU. */
const ABOVE_KERNELS = ['src/{cli,exchange,models,train,worker}/**/*.gpu.test.ts'];
/** On a machine that has a GPU, WGRAD_ENGINE=gpu runs all of it there. */
const ON_WEBGPU = process.env['WGRAD_ENGINE'] === 'gpu' ? [...KERNELS, ...ABOVE_KERNELS] : KERNELS;
/** What WebGPU would not show: the CPU engine watches for races, and computes sums of any length in no time. */
const ONLY_ON_CPU = ['src/engine/**/*.cpu.test.ts'];
/** Compare with Dawn's null backend, or break the launch of direct convolution that is the reference on GPUs alone. */
const ONLY_ON_WEBGPU = ['src/engine/limits.gpu.test.ts', 'src/engine/ops/conv/choice/find.gpu.test.ts'];

/**
 * What hangs ends, in the end: a limit that no machine reaches by being slow, or busy. Large counts, and watching for races, take
 * minutes; see src/base/testing/exhaustive.ts.
 */
const { WGRAD_EXHAUSTIVE: exhaustive, WGRAD_RACES: races } = process.env;
const HANGS_MS = exhaustive === undefined && races === undefined ? 600_000 : 3_600_000;

/** Files that take longer than their length suggests, by which vitest orders those whose time it does not know. */
const LONG = new RegExp(
  `/src/(${[
    'cli/(study|checkpointing|pytorch-project|main)',
    'engine/(gemm/tiles|limits|mixed|need|profile/step)',
    'engine/ops/conv/(algorithms/\\w+/\\w+|choice/find|limits|random)',
    'exchange/exchange',
    'models/(fold|models|reference)',
    'train/run',
    'worker/(lab/lab|train/runs)',
  ].join('|')})\\.gpu\\.test\\.ts$`,
);

/** They start first, so that no core waits for one of them at the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return [true, false].flatMap((long) => own.filter(({ moduleId }) => LONG.test(moduleId) === long));
    });
  }
}

/** Forks: Dawn is a native addon, and worker threads have an environment that the Vulkan loader does not see. */
export default defineConfig({
  test: {
    pool: 'forks',
    execArgv: V8_OPTIONS,
    testTimeout: HANGS_MS,
    hookTimeout: HANGS_MS,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 120_000 } },
    sequence: { sequencer: LongFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.{ts,mjs}', '{bench,peers}/**/*.test.ts'],
          exclude: ['src/**/*.{gpu,cpu}.test.ts', '**/node_modules/**'],
          // Files share a process with those before: to start one and to load the modules takes longer than most tests.
          isolate: false,
          setupFiles: ['src/base/testing/setup.ts'],
          // Left to itself, vitest keeps one core free.
          maxWorkers: '100%',
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'components',
          include: ['src/app/**/*.test.tsx'],
          environment: 'happy-dom',
          isolate: false,
          setupFiles: ['src/app/testing/setup.ts'],
          sequence: { groupOrder: 0 },
          // Projects that run at the same time must agree on it.
          maxWorkers: '100%',
        },
      },
      {
        extends: true,
        test: {
          name: 'gpu',
          include: ['src/{cpu,gpu}/**/*.gpu.test.ts', ...ON_WEBGPU],
          isolate: false,
          setupFiles: ['src/base/testing/setup.ts', 'src/engine/testing/setup.ts'],
          // SwiftShader, where there is no GPU, computes on all cores.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'cpu',
          include: [...KERNELS, ...ABOVE_KERNELS, ...ONLY_ON_CPU],
          exclude: ONLY_ON_WEBGPU,
          isolate: false,
          setupFiles: ['src/base/testing/setup.ts', 'src/engine/testing/setup.ts'],
          env: { WGRAD_ENGINE: 'cpu', WGRAD_THREADS: '1' },
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
