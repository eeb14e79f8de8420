/** How a network that was just read answers on a data set. */
import { Failure } from '../../base/result.ts';
import { Inference } from '../../engine/inference.ts';
import type { Trained } from '../../models/file/weights.ts';
import { openNodeDevice, type Engine } from '../../node/gpu.ts';
import { scoreOf } from '../../run/predictions.ts';
import { subjectOf, type SubjectOptions } from './subject.ts';

/** Images in a forward pass. */
const BATCH = 250;

/**
 * Accuracy and loss on the test images of a data set.
 * @throws Failure as `subjectOf`; `bad-input` if the images have no labels that the network knows
 */
export async function accuracyOn(
  dataset: string,
  {
    engine,
    ...options
  }: Pick<SubjectOptions, 'weights' | 'data-dir' | 'labels' | 'splits'> & { engine: Engine | undefined },
  trained: Trained,
  note: (message: string) => void,
): Promise<{ dataset: string; count: number; accuracy: number; loss: number }> {
  const own = { split: 'test', ground: 'auto', dataset } as const;
  const none = { model: undefined, images: undefined, mean: undefined, std: undefined };
  const { model, parameters, normalisation, images, total, ...set } = await subjectOf(
    { ...options, ...own, ...none },
    note,
    trained,
  );
  const device = await openNodeDevice({ engine });
  const { layers, input } = model;
  const batchSize = Math.min(BATCH, total);
  const network = { layers, input, parameters, normalisation, batchSize, count: total };
  const inference = await Inference.load(device, network);
  try {
    const { logits } = (await inference.run(images)) ?? {};
    const score = logits && scoreOf({ ...set, logits }, total);
    if (!score) throw new Failure('bad-input', `--check: ${dataset} has other classes than the network`);
    return { dataset, count: total, ...score };
  } finally {
    inference.destroy();
    device.destroy();
  }
}
