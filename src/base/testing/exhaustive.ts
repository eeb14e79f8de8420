/** How much a test tries: a little in `npm test`, all of it in `npm run test:exhaustive`. See scripts/exhaustive-tests.mjs. */

export const isExhaustive = process.env['WGRAD_EXHAUSTIVE'] !== undefined;

/** `usual` in `npm test`, `exhaustive` in `npm run test:exhaustive`: a number of tries, or a timeout in milliseconds. */
export const count = (usual: number, exhaustive: number): number => (isExhaustive ? exhaustive : usual);

/** The seed for what a test leaves to chance. CI takes a new one each time and prints it; WGRAD_SEED repeats it. */
export const SEED = Number(process.env['WGRAD_SEED'] ?? 1);
