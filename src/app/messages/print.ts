/** The texts of a printed run in the page's language. */
import english from './en/print.tsx';
import { inLanguage } from './language.ts';

export const print = inLanguage('print', english);
