/** Weights as files. */
import { readSafetensors, writeSafetensors } from '../../data/formats/safetensors.ts';
import type { StateDict } from '../../engine/parameters.ts';
import { trainedInfo, weightsMetadata } from '../../models/file/weights.ts';
import type { TrainingConfig } from '../../train/config.ts';

/** @throws Failure `bad-file` */
export const readWeights = (bytes: Uint8Array): StateDict =>
  readSafetensors('weights.safetensors', bytes).tensors;

/** @param made what they were trained as, and on */
export const writeWeights = (
  weights: StateDict,
  { model, dataset }: Pick<TrainingConfig, 'model' | 'dataset'>,
): Uint8Array<ArrayBuffer> => writeSafetensors(weights, weightsMetadata(trainedInfo(model, dataset)));
