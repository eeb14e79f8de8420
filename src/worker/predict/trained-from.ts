/** Weights of a run or a file, with the network that reads them. */
import { Failure } from '../../base/result.ts';
import { readSafetensors } from '../../data/formats/safetensors.ts';
import {
  readWeightsMetadata,
  requireFit,
  trainedInfo,
  type Trained,
  type WeightsInfo,
} from '../../models/file/weights.ts';
import { fitModel } from '../../models/model.ts';
import type { TrainingRun } from '../../train/run.ts';
import type { PredictWeights } from '../api.ts';
import { modelOf } from '../builder/choice.ts';
import type { Datasets } from '../data/datasets.ts';

export interface TrainedOptions {
  datasets: Pick<Datasets, 'infos'>;
  /** The open run. @throws Failure `not-found` if there is none */
  run(): TrainingRun;
}

/**
 * Weights with the network that reads them, and what is known about them.
 * @throws Failure `bad-file` if they are damaged or do not fit, `bad-input` if nothing says what the network is,
 *   `not-found` if there is no run
 */
export async function trainedFrom(
  { name, bytes, model: choice, dataset }: PredictWeights,
  { run, datasets }: TrainedOptions,
): Promise<Trained> {
  if (!bytes) {
    const { config } = run();
    const info = trainedInfo(config.model, config.dataset);
    return { model: info.model, parameters: await run().stateDict(), info };
  }
  const { tensors: parameters, metadata } = readSafetensors(name, bytes);
  const written = readWeightsMetadata(name, metadata);
  const data = (await datasets.infos()).find((one) => one.name === (written.dataset ?? dataset));
  const model = written.model ?? (choice === undefined ? undefined : await modelOf(choice));
  if (!model) {
    throw new Failure(
      'bad-input',
      `${name} does not contain its model.`,
      'Choose the model’s .json file together with it, or weights that wgrad saved.',
    );
  }
  // Without a model in its file, it is one of the list, fitted to the images.
  const fitted = written.model || !data ? model : fitModel(model, { ...data, name: data.title });
  const { mean, std, classes, ground } = data ?? {};
  const info: WeightsInfo = {
    ...(mean && std ? { normalisation: { mean, std } } : {}),
    ...(classes?.length === fitted.classes ? { classes } : {}),
    ...(ground ? { ground } : {}),
    ...(data ? { dataset: data.name } : {}),
    ...written,
  };
  requireFit(name, fitted, parameters);
  return { model: fitted, parameters, info };
}
