import type { RunConfig } from '../../../../worker/api.ts';
import * as format from '../../../format.ts';
import type { StepRow } from '../../../../run/metrics/rows.ts';

/** What a step did, in its three parts. @param optimizer its title */
export function wordsOfStep(
  { step, loss, accuracy, learningRate }: StepRow,
  before: Pick<StepRow, 'loss'> | undefined,
  { batchSize, optimizer: { momentum } }: Pick<RunConfig, 'batchSize' | 'optimizer'>,
  optimizer: string,
): [string, string, string] {
  const images = `${format.count(batchSize)} ${batchSize === 1 ? 'image' : 'images'}`;
  const change = before ? loss - before.loss : 0;
  const than = !before
    ? ''
    : `, ${Number(Math.abs(change).toPrecision(2))} ${change < 0 ? 'less' : 'more'} than for the batch before`;
  const carried = momentum > 0 ? ', and carried on some of the step before' : '';
  return [
    `Forward: step ${format.count(step)} took ${images} through all layers. ${format.percent(accuracy)} were answered rightly, and the loss was ${format.loss(loss)}${than}.`,
    'Backward: from the loss back to the first layer it was worked out, for every weight, which way and how strongly it would change the loss.',
    `Update: ${optimizer} moved every weight a little the other way, at a learning rate of ${Number(learningRate.toPrecision(3))}${carried}. The next batch meets a slightly better network.`,
  ];
}
