import type { SamplePage } from '../../../worker/api.ts';

/** What the panel of mistakes showed last, for paper: there is no time to ask for it when the page is printed. */
export const lastMistakes: { runId: number; page: SamplePage | undefined } = { runId: 0, page: undefined };
