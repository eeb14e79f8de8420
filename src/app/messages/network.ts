/** The texts of the pictures of a network in the page's language. */
import english from './en/network.tsx';
import { inLanguage } from './language.ts';

export const network = inLanguage('network', english);
