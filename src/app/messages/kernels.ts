/** The texts of the lessons in writing kernels, in the page's language. */
import english from './en/kernels.tsx';
import { inLanguage } from './language.ts';

export const kernels = inLanguage('kernels', english);
