/** The texts of presenting in the page's language. */
import english from './en/presenting.tsx';
import { inLanguage } from './language.ts';

export const presenting = inLanguage('presenting', english);
