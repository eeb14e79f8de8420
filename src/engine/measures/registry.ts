import { found, Registry } from '../../base/registry.ts';
import type { Measure } from './measure.ts';

/** All optional measurements: a file here that exports one by default. */
export const measures = new Registry<Measure>(
  'measure',
  found(
    import.meta.glob(['./*.ts', '!./{measure,registry}.ts', '!./*.test.ts'], {
      eager: true,
      import: 'default',
    }),
  ),
);
