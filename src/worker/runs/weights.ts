/** Weights as files. */
import { readSafetensors, writeSafetensors } from '../../data/formats/safetensors.ts';
import { inferShapes, layoutParameters } from '../../engine/network.ts';
import { stateDictOf, type StateDict } from '../../engine/parameters.ts';
import { readWeightsMetadata, trainedInfo, weightsMetadata } from '../../models/file/weights.ts';
import type { Checkpoint } from '../../train/checkpoint.ts';
import type { TrainingConfig } from '../../train/config.ts';
import type { InitialWeights } from '../../train/fork.ts';
import type { FirstFilters } from '../inspect/api.ts';

/** @param name for messages. @throws Failure `bad-file` */
export function readWeights(name: string, bytes: Uint8Array): InitialWeights {
  const { tensors: parameters, metadata } = readSafetensors(name, bytes);
  return { name, parameters, normalisation: readWeightsMetadata(name, metadata).normalisation };
}

/** The filters of the first convolution: the first weights of four dimensions, K x C x R x S. @throws Failure `bad-file` */
export function filtersOf(name: string, bytes: Uint8Array, step: number): FirstFilters | undefined {
  const { tensors } = readSafetensors(name, bytes);
  const first = [...tensors].find(([tensor, { shape }]) => tensor.endsWith('.weight') && shape.length === 4);
  if (!first) return undefined;
  const [tensor, { shape, data }] = first;
  const layer = tensor.slice(0, -'.weight'.length);
  return { step, layer, shape, weights: data, bias: tensors.get(`${layer}.bias`)?.data };
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
