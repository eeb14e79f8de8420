/** The texts of what can be done on the screens, in the page's language. */
import english from './en/verbs.tsx';
import { inLanguage } from './language.ts';

export const verbs = inLanguage('verbs', english);
