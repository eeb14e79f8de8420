/** The texts of lessons, apart from the lessons' own, in the page's language. */
import english from './en/lessons.tsx';
import { inLanguage } from './language.ts';

export const lessons = inLanguage('lessons', english);
