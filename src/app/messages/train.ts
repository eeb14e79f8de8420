/** The texts of what Train shows at once, in the page's language. */
import english from './en/train.tsx';
import { inLanguage } from './language.ts';

export const train = inLanguage('train', english);
