import { Failure } from '../../base/result.ts';
import { datasetChecksum } from '../../data/checksum.ts';
import type { Dataset } from '../../data/dataset.ts';
import { OWN } from '../../data/own/info.ts';
import type { RunCheckpoint } from './stored/checkpoint.ts';

/** @throws Failure `bad-input` if the images differ from those that the run was trained on */
export async function requireSame(saved: RunCheckpoint, dataset: Dataset): Promise<void> {
  if ((await datasetChecksum(dataset)) === saved.sha256) return;
  const images = dataset.name === OWN ? 'Your images' : `The images of ${dataset.name}`;
  throw new Failure(
    'bad-input',
    `${images} have changed since this run was trained.`,
    'Start a new run, or import the original images again.',
  );
}
