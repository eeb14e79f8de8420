/** The texts of handing in a lesson's result, and of looking at what was handed in, in the page's language. */
import english from './en/handing-in.tsx';
import { inLanguage } from './language.ts';

export const handingIn = inLanguage('handing-in', english);
