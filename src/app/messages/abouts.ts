/** What the panels of Train are, in the page's language. */
import english from './en/abouts.tsx';
import { inLanguage } from './language.ts';

export const abouts = inLanguage('abouts', english);
