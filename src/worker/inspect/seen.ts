/** The last batch of a run, as it entered the network. */
import { Failure } from '../../base/result.ts';
import type { TrainingRun } from '../../train/run.ts';
import type { BatchPage } from '../api.ts';

/** Images per request, at most. */
const MOST = 256;

/** @throws Failure `not-found` before the first step, and after the device was lost until the next one */
export function seenBatch(run: TrainingRun, first: number, count: number): Promise<BatchPage> {
  return run.ask(async (trainer) => {
    const seen = await trainer.seenBatch();
    const { last } = trainer;
    if (!seen || !last) {
      throw new Failure('not-found', 'No batch has been processed yet.', 'Train a step.');
    }
    seen.copy();
    const { steps: step } = run;
    const total = last.indices.length;
    const from = Math.min(Math.max(0, first), total);
    const length = Math.min(count, MOST, total - from);
    const { images, labels, partners } = await seen.read(from, length);
    const { shape, mean, std } = run.config.dataset;
    return {
      step,
      total,
      images,
      shape,
      mean: [...mean],
      std: [...std],
      labels,
      indices: last.indices.slice(from, from + length),
      ...(partners && last.mix !== undefined ? { blended: { labels: partners, share: last.mix } } : {}),
    };
  });
}
