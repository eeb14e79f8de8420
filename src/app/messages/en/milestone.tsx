/** The texts about what a run has come to. */
import { formsOf } from '../forms.ts';
import { inLanguage } from '../language.ts';

const { count, many } = formsOf('en');

export const milestone = inLanguage('milestone', {
  label: 'What it can do now',
  titles: {
    epochs: (epochs: number) =>
      epochs === 1
        ? 'The first epoch is done'
        : `${many(epochs, { one: 'epoch', other: 'epochs' })} are done`,
    great: 'More than 95 % right',
    end: 'Training is complete',
  },
  /** "12 of 12" */
  few: (right: number, images: number) => `${count(right)} of ${count(images)}`,
  /** "98.05 % of 2,000" */
  share: (accuracy: string, images: number) => `${accuracy} of ${count(images)}`,
  reads: (amount: string, digits: boolean) =>
    digits
      ? `It reads ${amount} digits that it has never seen.`
      : `It gets ${amount} images right that it has never seen.`,
  yours: (before: string, step: number, now: string) =>
    before === now
      ? `Your image on the pad: “${before}”, as at step ${count(step)}.`
      : `Your image on the pad: “${before}” at step ${count(step)}, now “${now}”.`,
  mistakes: 'Look at its mistakes',
  lessons: 'Find out more in a lesson',
  dismiss: 'Dismiss',
});
