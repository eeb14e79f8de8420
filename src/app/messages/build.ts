/** The texts of Build in the page's language. */
import english from './en/build.tsx';
import { inLanguage } from './language.ts';

export const build = inLanguage('build', english);
