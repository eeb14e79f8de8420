/** Weights as files. */
import { readSafetensors, writeSafetensors } from '../../data/formats/safetensors.ts';
import { inferShapes, layoutParameters } from '../../engine/network.ts';
import { stateDictOf, type StateDict } from '../../engine/parameters.ts';
import { trainedInfo, weightsMetadata } from '../../models/file/weights.ts';
import type { Checkpoint } from '../../train/checkpoint.ts';
import type { TrainingConfig } from '../../train/config.ts';

/** @throws Failure `bad-file` */
export const readWeights = (bytes: Uint8Array): StateDict =>
  readSafetensors('weights.safetensors', bytes).tensors;

/** What they were trained as, and on. */
type Trained = Pick<TrainingConfig, 'model'> & {
  dataset: Pick<TrainingConfig['dataset'], 'name' | 'classes' | 'mean' | 'std'>;
};

export const writeWeights = (weights: StateDict, { model, dataset }: Trained): Uint8Array<ArrayBuffer> =>
  writeSafetensors(weights, weightsMetadata(trainedInfo(model, dataset)));

/** @param classes of the data set */
export function weightsOfCheckpoint(
  { config: { model }, dataset, snapshot }: Checkpoint,
  classes: readonly string[],
): Uint8Array<ArrayBuffer> {
  const layout = layoutParameters(inferShapes(model.layers, [1, ...model.input]));
  return writeWeights(stateDictOf(layout, snapshot), { model, dataset: { ...dataset, classes } });
}
