import { found, Registry } from '../../base/registry.ts';
import type { Op } from '../op.ts';

/** All ops: the default exports of the folders here, an op or an array of them. */
export const ops = new Registry<Op<unknown>>(
  'op',
  found(import.meta.glob('./*/index.ts', { eager: true, import: 'default' })),
);
