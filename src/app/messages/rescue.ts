/** The texts about a run that does not learn, in the page's language. */
import english from './en/rescue.tsx';
import { inLanguage } from './language.ts';

export const rescue = inLanguage('rescue', english);
