import { SETTINGS, type RunSettings } from '../../run/settings/table.ts';
import * as format from '../format.ts';
import type { StepRow } from '../../run/metrics/rows.ts';

/** The three phases of a training step in words, with the step's values. */
export function phasesOf(
  { step, loss, accuracy, learningRate }: StepRow,
  before: Pick<StepRow, 'loss'> | undefined,
  { batchSize, optimizer, momentum }: Pick<RunSettings, 'batchSize' | 'optimizer' | 'momentum'>,
): [string, string, string] {
  const images = `${format.count(batchSize)} ${batchSize === 1 ? 'image' : 'images'}`;
  const change = before ? loss - before.loss : 0;
  const than = !before
    ? ''
    : `, ${Number(Math.abs(change).toPrecision(2))} ${change < 0 ? 'less' : 'more'} than for the previous batch`;
  const momentumText = momentum > 0 ? ', plus momentum from earlier steps' : '';
  return [
    `Forward: step ${format.count(step)} ran ${images} through all layers. ${format.percent(accuracy)} were classified correctly; the loss was ${format.loss(loss)}${than}.`,
    'Backward: the gradient of the loss was propagated back through every layer, giving each weight its effect on the loss.',
    `Update: ${SETTINGS.optimizer.choices[optimizer]} moved every weight a small step against its gradient, with learning rate ${Number(learningRate.toPrecision(3))}${momentumText}. The next batch sees the updated weights.`,
  ];
}
