/** The texts about what a run has come to. */
import { formsOf } from '../forms.ts';

const { count } = formsOf('en');

const english = {
  label: 'What it can do now',
  titles: { first: 'The first epoch is done', great: 'More than 95 % right', end: 'Training is complete' },
  reads: (right: number, digits: boolean) =>
    digits
      ? `Of 100 digits that it has never seen, it now reads ${count(right)}.`
      : `Of 100 images that it has never seen, it now gets ${count(right)} right.`,
  yours: (before: string, step: number, now: string) =>
    before === now
      ? `Your image on the pad: “${before}”, as at step ${count(step)}.`
      : `Your image on the pad: “${before}” at step ${count(step)}, now “${now}”.`,
  mistakes: 'Look at its mistakes',
  dismiss: 'Dismiss',
};

export default english;
export type PayoffTexts = typeof english;
