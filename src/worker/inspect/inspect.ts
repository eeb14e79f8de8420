/** All that the Inspect screen asks for, in one piece: its code is fetched when it is first asked. */
export { firstFilters } from './first-filters.ts';
export { firing, look } from './look.ts';
export { judgedSamples } from './samples.ts';
export { seenBatch } from './seen.ts';
