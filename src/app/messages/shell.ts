/** The texts around the screens, in the page's language. */
import english from './en/shell.tsx';
import { inLanguage } from './language.ts';

export const shell = inLanguage('shell', english);
