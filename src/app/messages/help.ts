/** The texts of Help in the page's language. */
import english from './en/help.tsx';
import { inLanguage } from './language.ts';

export const help = inLanguage('help', english);
