/** The texts of the dialogs that export and import networks, in the page's language. */
import english from './en/exchange.tsx';
import { inLanguage } from './language.ts';

export const exchange = inLanguage('exchange', english);
