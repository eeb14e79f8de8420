/** The texts of the drawer of settings, in the page's language. */
import english from './en/settings.tsx';
import { inLanguage } from './language.ts';

export const settings = inLanguage('settings', english);
