import type { SamplePage } from '../../../worker/api.ts';

/** What the panel of mistakes showed last, for paper: there is no time to ask for it when the page is printed. */
export const lastMistakes: { page: SamplePage | undefined } = { page: undefined };
