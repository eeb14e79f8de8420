/** What computing a run again has shown, in words. */
import type { HandedRun, RunVerdict } from '../../../../worker/api.ts';
import { handingIn } from '../../../messages/handing-in.ts';

const texts = handingIn.verdict;

/** As many digits as tell 32-bit numbers apart. */
const exact = (value: number | string): string => {
  if (typeof value === 'string') return value.slice(0, 8);
  return Number.isNaN(value) ? texts.none : String(Number(value.toPrecision(9)));
};

/** A word, and what it means. */
export function wordsOf(verdict: RunVerdict, run: HandedRun): { word: string; why: string } {
  const { steps } = verdict;
  const part = steps < run.steps ? `, ${texts.firstSteps(steps)}` : '';
  switch (verdict.how) {
    case 'confirmed':
      return { word: texts.confirmed, why: texts.confirmedWhy + part };
    case 'agrees':
      return { word: texts.agrees, why: texts.agreesWhy + part };
    case 'differs': {
      const { what, step, there, here } = verdict;
      return {
        word: texts.differs,
        why: `${texts.what[what](step)} ${texts.both(exact(there), exact(here))}`,
      };
    }
    case 'unchecked':
      return { word: texts.unchecked, why: whyNot(verdict, run) };
  }
}

function whyNot(
  { why, there = '', here = '', message = '' }: Extract<RunVerdict, { how: 'unchecked' }>,
  { dataset }: HandedRun,
): string {
  if ((why === 'images' || why === 'absent') && dataset === 'own') return texts.why.own;
  switch (why) {
    case 'images':
      return texts.why.images;
    case 'start':
      return texts.why.start(there);
    case 'version':
      return texts.why.version(there, here);
    case 'absent':
      return message;
  }
}
