import { defineConfig } from 'vitest/config';

/** Forks: Dawn is a native addon, and worker threads have an environment that the Vulkan loader does not see. */
export default defineConfig({
  test: {
    pool: 'forks',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'src/**/*.test.ts',
            'scripts/**/*.test.{ts,mjs}',
            // What needs nothing that bench/ installs.
            'bench/{convolutions,curves,gemm,tables}/*.test.ts',
          ],
          exclude: ['src/**/*.gpu.test.ts'],
          // Left to itself, vitest keeps one core free.
          maxWorkers: '100%',
          // References in plain TypeScript take seconds where other programs compute too.
          testTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'components',
          include: ['src/app/**/*.test.tsx'],
          environment: 'happy-dom',
          // Testing Library removes what a test rendered through a global afterEach.
          globals: true,
          sequence: { groupOrder: 0 },
          // Projects that run at the same time must agree on it.
          maxWorkers: '100%',
        },
      },
      {
        extends: true,
        test: {
          name: 'gpu',
          include: ['src/**/*.gpu.test.ts'],
          // SwiftShader, where there is no GPU, computes on all cores.
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
