import { SETTINGS, type RunSettings } from '../../run/settings/table.ts';
import * as format from '../format.ts';
import type { StepRow } from '../../run/metrics/rows.ts';
import { results as texts } from '../messages/en/results.tsx';

/** The three phases of a training step in words, with the step's values. */
export function phasesOf(
  { step, loss, accuracy, learningRate }: StepRow,
  before: Pick<StepRow, 'loss'> | undefined,
  { batchSize, optimizer, momentum }: Pick<RunSettings, 'batchSize' | 'optimizer' | 'momentum'>,
): [string, string, string] {
  const { phases } = texts;
  // All but plain SGD average over gradients, or their squares, of earlier steps.
  const remembers = optimizer !== 'sgd' || momentum > 0;
  const change = before ? phases.change(Number((loss - before.loss).toPrecision(2))) : '';
  return [
    phases.forward(step, batchSize, format.percent(accuracy), format.loss(loss), change),
    phases.backward,
    phases.update(SETTINGS.optimizer.choices[optimizer], Number(learningRate.toPrecision(3)), remembers),
  ];
}
