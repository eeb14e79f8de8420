import type { References } from './ops.ts';

/** The references of all ops, from the op's folders. */
export const REFERENCES: References = Object.assign(
  {},
  ...Object.values(import.meta.glob('../ops/*/reference.ts', { eager: true, import: 'default' })),
);
