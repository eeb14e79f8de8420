/** The pad's comments in the page's language. */
import english from './en/comment.tsx';
import { inLanguage } from './language.ts';

export const comment = inLanguage('comment', english);
