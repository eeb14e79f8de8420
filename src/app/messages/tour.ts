/** The texts of the tour, in the page's language. */
import english from './en/tour.tsx';
import { inLanguage } from './language.ts';

export const tour = inLanguage('tour', english);
