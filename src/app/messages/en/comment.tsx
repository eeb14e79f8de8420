/** What the pad says about an answer. */
import { percent } from '../../format.ts';
import { inLanguage } from '../language.ts';

const sure = (share: number): string => percent(share, 0);

export const comment = inLanguage('comment', {
  /** @param share the probability of its answer */
  unfamiliar: (best: string, share: number) =>
    share >= 0.8
      ? `This looks like no digit it has seen, yet it is ${sure(share)} sure: it has no way to say “I do not know”.`
      : `This looks like no digit it has seen. It has to choose one all the same: ${best}, ${sure(share)}.`,
  dot: (share: number) =>
    `A dot is no digit, yet it is ${sure(share)} sure: it has no way to say “I do not know”.`,
  hesitates: (first: string, second: string, shares: readonly [number, number]) =>
    `${first} or ${second}? It hesitates: ${sure(shares[0])} against ${sure(shares[1])}.`,
  centred: 'Your drawing was moved to the middle and made as large as the digits it learnt from.',
  misplaced: 'It learnt from digits in the middle that fill the picture; this one does not.',
});
