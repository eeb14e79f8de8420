/** The texts of changes during a run, and of links, in the page's language. */
import english from './en/changes.tsx';
import { inLanguage } from './language.ts';

export const changes = inLanguage('changes', english);
