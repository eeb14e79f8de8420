/** The texts of links, cards and pages of others, in the page's language. */
import english from './en/share.tsx';
import { inLanguage } from './language.ts';

export const share = inLanguage('share', english);
