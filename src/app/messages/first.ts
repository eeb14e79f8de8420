/** The first sentence, in the page's language. */
import english from './en/first.tsx';
import { inLanguage } from './language.ts';

export const first = inLanguage('first', english);
