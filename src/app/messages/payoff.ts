/** The texts about what a run has come to, in the page's language. */
import english from './en/payoff.tsx';
import { inLanguage } from './language.ts';

export const payoff = inLanguage('payoff', english);
