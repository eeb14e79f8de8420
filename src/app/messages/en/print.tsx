/** The texts of a printed run. */
import { formsOf } from '../forms.ts';
import { inLanguage } from '../language.ts';

const { count, many } = formsOf('en');

export const print = inLanguage('print', {
  title: (model: string, dataset: string) => `${model} on ${dataset}`,
  reached: (step: number, epoch: number) =>
    `${many(step, { one: 'step', other: 'steps' })}, ${many(epoch, { one: 'epoch', other: 'epochs' })}`,
  accuracy: (accuracy: string, on: string, epoch: number) =>
    `${accuracy} right in the last test (after epoch ${count(epoch)}; ${on})`,
  untested: 'not tested yet',
  settings: 'Settings',
  loss: 'Loss',
  accuracies: 'Accuracy',
  training: 'training',
  test: 'test',
  step: 'step',
  chart: (title: string, first: string, last: string) => `${title} by step, from ${first} to ${last}`,
  matrix: 'Confusion matrix',
  mistakes: 'Most confident mistakes',
  mistake: (label: string, prediction: string, confidence: string) =>
    `${label} read as ${prediction}, ${confidence} sure`,
});
