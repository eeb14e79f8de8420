import { found, Registry } from '../../base/registry.ts';
import type { Op } from '../op.ts';

/** All ops: a folder here with an index.ts is one. */
export const ops = new Registry<Op<unknown>>(
  'op',
  found(import.meta.glob('./*/index.ts', { eager: true, import: 'default' })),
);
