/** Tokens of palette.css, one a run. */
export const COLOURS = ['--run-1', '--run-2', '--run-3', '--run-4', '--run-5', '--run-6'] as const;
