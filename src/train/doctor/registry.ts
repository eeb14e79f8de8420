import { found, Registry } from '../../base/registry.ts';
import type { Check } from './check.ts';

/** All checks: a file in checks/ with one as its default export is one. */
export const checks = new Registry<Check>(
  'check',
  found(import.meta.glob(['./checks/*.ts', '!./checks/*.test.ts'], { eager: true, import: 'default' })),
);

/** In the order in which they are made. */
export const checksInOrder = (): Check[] => checks.all().sort((a, b) => a.order - b.order);
