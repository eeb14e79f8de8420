/** What the pad is, in the page's language. */
import english from './en/abouts.tsx';
import { inLanguage } from './language.ts';

export const abouts = inLanguage('abouts', english);
