/** Weights as files: safetensors with the network that they belong to. */
import { join } from 'node:path';
import { Failure } from '../base/result.ts';
import { readSafetensors, writeSafetensors } from '../data/formats/safetensors.ts';
import { datasets } from '../data/catalogue.ts';
import { inferShapes, layoutParameters } from '../engine/network.ts';
import { stateDictOf, type StateDict } from '../engine/parameters.ts';
import { foldModel } from '../models/file/folded.ts';
import {
  readWeightsMetadata,
  weightsMetadata,
  type Trained,
  type WeightsInfo,
} from '../models/file/weights.ts';
import { toJson } from '../models/file/write.ts';
import type { Model } from '../models/model.ts';
import { isStream, writeOutput } from '../node/files.ts';
import { placeOf } from '../node/place.ts';
import { readBytes } from '../node/read.ts';
import type { Evaluation } from '../run/metrics/rows.ts';
import { trainedNetworks } from '../run/trained.ts';
import { FORMAT } from '../storage/packed.ts';
import type { InitialWeights } from '../train/fork.ts';
import { readSavedRun, type SavedRun } from './checkpointing.ts';
import { publicFolder } from './data.ts';
import { readModel } from './model.ts';
import type { OutputFile } from './outputs.ts';

/** The path of weights. @param name of a network that wgrad comes with, or a path already */
export const weightsPath = (name: string): string =>
  trainedNetworks.has(name) ? join(publicFolder(), trainedNetworks.get(name).file) : name;

/** What a run starts from. @param name of a network that wgrad comes with, or the path of a safetensors file */
export async function readInitialWeights(name: string): Promise<InitialWeights> {
  const path = weightsPath(name);
  const { tensors: parameters, metadata } = readSafetensors(path, await readBytes(path));
  return { name, parameters, normalisation: readWeightsMetadata(path, metadata).normalisation };
}

/**
 * @param name of a network that wgrad comes with, or the path of a safetensors file
 * @param model a name or a file, instead of the model in the weights' metadata
 * @throws Failure `bad-input` if neither says what the network is
 */
export async function readTrained(name: string, model: string | undefined): Promise<Trained> {
  const path = weightsPath(name);
  const { tensors: parameters, metadata } = readSafetensors(path, await readBytes(path));
  const info = readWeightsMetadata(path, metadata);
  const found = model === undefined ? info.model : await readModel(model);
  if (!found) {
    throw new Failure(
      'bad-input',
      `${path} does not contain its model`,
      metadata.get('format') === FORMAT
        ? 'It is a checkpoint: save its weights by export --checkpoint.'
        : 'Give it with --model NAME|FILE.json; weights saved by wgrad contain it.',
    );
  }
  return { model: found, parameters, info };
}

/**
 * A run with its network, as it stands at the checkpoint: averages, if the run has them.
 * @throws Failure `not-found` or `bad-file`
 */
export async function trainedAtCheckpoint(
  path: string,
  note: (message: string) => void,
): Promise<{ trained: Trained; run: SavedRun }> {
  const run = await readSavedRun(path, note);
  const { config, dataset, snapshot, history, step } = run;
  const { model } = config;
  const layout = layoutParameters(inferShapes(model.layers, [1, ...model.input]));
  const { name, mean, std } = dataset;
  const classes = dataset.classes ?? (datasets.has(name) ? datasets.get(name).classes : undefined);
  const info = {
    dataset: name,
    normalisation: { mean, std },
    classes,
    ground: dataset.ground,
    ...accuracyAt(step, history.evaluations),
  };
  return { trained: { model, parameters: stateDictOf(layout, snapshot), info }, run };
}

/** The accuracy of the weights at a step, if they were tested there. */
export function accuracyAt(
  step: number,
  evaluations: readonly Evaluation[],
): Pick<WeightsInfo, 'testAccuracy'> {
  const last = evaluations.at(-1);
  return last?.step === step ? { testAccuracy: last.testAccuracy } : {};
}

/** Writes weights with what they need to be used. */
export const writeWeights = (path: string, parameters: StateDict, info: WeightsInfo): Promise<void> =>
  writeOutput(path, writeSafetensors(parameters, weightsMetadata(info)));

/**
 * Writes weights with batch norm folded, and beside them, as a JSON file, the model that reads them.
 * @returns the model's file, and the names of the folded layers
 * @throws Failure `bad-input` if there is nothing to fold
 */
export async function writeFolded(
  path: string,
  { model, parameters, info }: Trained,
): Promise<{ modelFile: string | undefined; folded: readonly string[] }> {
  const { folded, ...network } = foldModel(model, parameters);
  await writeWeights(path, network.parameters, { ...info, model: network.model });
  return { modelFile: await writeModelBeside(path, network.model), folded };
}

/** Writes a model as FILE.json beside FILE.safetensors. Returns undefined if that is a device or pipe, which nothing is beside. */
export async function writeModelBeside(path: string, model: Model): Promise<string | undefined> {
  if (isStream(await placeOf(path))) return undefined;
  const file = modelBeside(path);
  await writeOutput(file, toJson(model));
  return file;
}

const modelBeside = (path: string): string => path.replace(/(\.safetensors)?$/, '.json');

/** What is written for weights with the model that reads them. */
export const weightsWithModel = (path: string): readonly OutputFile[] => [
  { path, kind: 'weights' },
  { path: modelBeside(path) },
];
