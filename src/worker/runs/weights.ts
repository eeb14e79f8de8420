/** Weights as files. */
import { readSafetensors, writeSafetensors } from '../../data/formats/safetensors.ts';
import { inferShapes, layoutParameters } from '../../engine/network.ts';
import { stateDictOf, type StateDict } from '../../engine/parameters.ts';
import { readWeightsMetadata, trainedInfo, weightsMetadata } from '../../models/file/weights.ts';
import type { Checkpoint } from '../../train/checkpoint.ts';
import type { TrainingConfig } from '../../train/config.ts';
import type { InitialWeights } from '../../train/fork.ts';

/** @param name for messages. @throws Failure `bad-file` */
export function readWeights(name: string, bytes: Uint8Array): InitialWeights {
  const { tensors: parameters, metadata } = readSafetensors(name, bytes);
  return { name, parameters, normalisation: readWeightsMetadata(name, metadata).normalisation };
}

/** What they were trained as, and on. */
type Trained = Pick<TrainingConfig, 'model'> & {
  dataset: Pick<TrainingConfig['dataset'], 'name' | 'classes' | 'mean' | 'std' | 'ground'>;
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
