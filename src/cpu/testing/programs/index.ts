/** Small WGSL programs with the words that they must write, by hand or computed in plain TypeScript. */
import { FLOW } from './flow.ts';
import { GROUPS } from './groups.ts';
import { ARRAYS, STRUCTS } from './memory.ts';
import type { Program } from './program.ts';
import { CONSTANTS, VECTORS } from './values.ts';

export const PROGRAMS: readonly Program[] = [
  ...CONSTANTS,
  ...VECTORS,
  ...ARRAYS,
  ...STRUCTS,
  ...FLOW,
  ...GROUPS,
];
