/** The texts of Runs in the page's language. */
import english from './en/runs.tsx';
import { inLanguage } from './language.ts';

export const runs = inLanguage('runs', english);
