/** The texts of what was learnt: filters and mistakes, in the page's language. */
import english from './en/results.tsx';
import { inLanguage } from './language.ts';

export const results = inLanguage('results', english);
