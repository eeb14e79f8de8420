/** How much is tested: by `npm test` (quick), `npm run test:all` and `npm run test:exhaustive`. See scripts/test-plan.mjs. */
import { TIER } from '../../../scripts/test-plan.mjs';

export const isQuick = TIER === 'quick';
export const isExhaustive = TIER === 'exhaustive';

/** A number of tries, or a timeout in milliseconds, for each of the three. */
export const count = (quick: number, all: number, exhaustive: number): number =>
  ({ quick, all, exhaustive })[TIER];

/** The seed for what a test leaves to chance. CI takes a new one each time and prints it; WGRAD_SEED repeats it. */
export const SEED = Number(process.env['WGRAD_SEED'] ?? 1);
