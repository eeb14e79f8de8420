/** The texts of Inspect in the page's language. */
import english from './en/inspect.tsx';
import { inLanguage } from './language.ts';

export const inspect = inLanguage('inspect', english);
