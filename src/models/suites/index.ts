import { found, Registry } from '../../base/registry.ts';
import type { Suite } from './suite.ts';

/** Every suite: one file each in this folder, found by being there. */
export const suites = new Registry<Suite>(
  'suite',
  found<Suite>(
    import.meta.glob(['./*.ts', '!./index.ts', '!./suite.ts', '!./*.test.ts'], {
      eager: true,
      import: 'default',
    }),
  ),
);
