/** How much GPU memory a run would need, reported before it starts. */
import { lazily } from '../../base/lazily.ts';
import { elements } from '../../base/shape.ts';
import type { Dataset, DatasetInfo } from '../../data/dataset.ts';
import type { Device } from '../../gpu/device.ts';
import type { TrainingConfig } from '../../train/config.ts';
import { fitWithin } from '../../train/fit.ts';
import type { RunMemory } from '../api.ts';

const proposing = lazily(() => import('../../train/proposal.ts'));

/** @throws Failure if the run is impossible: an unsupported pin, a model that does not fit its images */
export async function runMemory(device: Device, config: TrainingConfig): Promise<RunMemory> {
  // An earlier refusal is the only information about the GPU's memory.
  const { tooMuch } = device.ledger;
  const limit = tooMuch === undefined ? Infinity : tooMuch - 1;
  const fit = await fitWithin(device, config, limit);
  if (fit) {
    const { bytes, kinds, recomputed } = fit.need;
    return { fits: true, bytes, kinds, recomputed };
  }
  const { proposalFor } = await proposing();
  const { batchSize } = await proposalFor(device, config, limit);
  return { fits: false, largestBatch: batchSize };
}

/** A data set of the same size without its images, which need not be downloaded yet. */
export function blankDataset({ name, shape, classes, mean, std, counts }: DatasetInfo): Dataset {
  const set = (count: number) => ({
    images: new Uint8Array(count * elements(shape)),
    labels: new Uint8Array(count),
    count,
  });
  return { name, shape, classes, mean, std, train: set(counts.train), test: set(counts.test) };
}
