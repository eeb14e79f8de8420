import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { FILES, LONG, TIER } from './scripts/test-plan.mjs';
import { V8_OPTIONS } from './scripts/v8-options.mjs';

/**
 * What hangs ends, in the end: a limit that no machine reaches by being slow, or busy. Large counts, and watching for races, take
 * minutes.
 */
const HANGS_MS = TIER === 'exhaustive' || process.env['WGRAD_RACES'] !== undefined ? 3_600_000 : 600_000;

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
          ...FILES.unit,
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
          ...FILES.components,
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
          ...FILES.gpu,
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
          ...FILES.cpu,
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
