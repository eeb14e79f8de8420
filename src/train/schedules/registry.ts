import { found, Registry } from '../../base/registry.ts';
import type { Schedule } from './schedule.ts';

/** All schedules: a file here with one as its default export is one. */
export const schedules = new Registry<Schedule>(
  'schedule',
  found(
    import.meta.glob(['./*.ts', '!./*.test.ts', '!./registry.ts', '!./schedule.ts', '!./learning-rate.ts'], {
      eager: true,
      import: 'default',
    }),
  ),
);
