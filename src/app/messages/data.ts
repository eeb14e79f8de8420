/** The texts of the dialogs about data in the page's language. */
import english from './en/data.tsx';
import { inLanguage } from './language.ts';

export const data = inLanguage('data', english);
