/** The texts of the drawer about the model: its layers, and what it starts from, in the page's language. */
import english from './en/model.tsx';
import { inLanguage } from './language.ts';

export const model = inLanguage('model', english);
