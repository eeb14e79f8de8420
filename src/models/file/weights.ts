/**
 * What a safetensors file of weights says about them in its metadata, so that they can be used without anything else:
 * the network that they belong to, its classes, and how its images are normalised. Other programs ignore it.
 */
import type { Ground } from '../../base/pixels/ground.ts';
import { parsePlainJson } from '../../base/plain-json.ts';
import { Failure } from '../../base/result.ts';
import { inferShapes, layoutParameters } from '../../engine/network.ts';
import { flatten, type StateDict } from '../../engine/parameters.ts';
import type { Normalisation } from '../../engine/samples.ts';
import type { Model } from '../model.ts';
import { parseModel } from './parse.ts';
import { toJson } from './write.ts';

/** What is known about weights. Files of other programs say nothing. */
export interface WeightsInfo {
  /** Fitted to the images. */
  model?: Model;
  /** Names, by class. */
  classes?: readonly string[];
  /** The name of the data set that they were trained on. */
  dataset?: string;
  /** Of pixels in [0, 1], by channel. */
  normalisation?: Normalisation;
  /** Of the images that they were trained on; 'none' if they have no common one. */
  ground?: Ground | 'none' | undefined;
  /** The share of that data set's test images that they classify correctly. */
  testAccuracy?: number;
}

/** Weights with the network that they belong to. */
export interface Trained {
  model: Model;
  parameters: StateDict;
  /** What else is known. Its model, if it has one, is not used. */
  info: WeightsInfo;
}

/** The data set of a training, as far as it belongs to the weights. */
interface TrainedOn extends Normalisation {
  readonly name: string;
  readonly classes: readonly string[];
  readonly ground?: Ground | undefined;
}

/** @param model fitted to the images */
export const trainedInfo = (
  model: Model,
  { name, classes, mean, std, ground }: TrainedOn,
): Required<Omit<WeightsInfo, 'testAccuracy'>> => ({
  model,
  dataset: name,
  classes,
  normalisation: { mean, std },
  ground: ground ?? 'none',
});

/** The longest model that is included: readers limit the length of the metadata. */
const MAX_MODEL = 2 ** 18;

/** @param info how the weights were trained */
export function weightsMetadata({
  model,
  classes,
  dataset,
  normalisation,
  ground,
  testAccuracy,
}: WeightsInfo): Map<string, string> {
  const json = model && toJson(model);
  return new Map([
    ...(json !== undefined && json.length <= MAX_MODEL ? [['model', json] as const] : []),
    ...(classes ? [['classes', JSON.stringify(classes)] as const] : []),
    ...(dataset === undefined ? [] : [['dataset', dataset] as const]),
    ...(normalisation
      ? [['mean', normalisation.mean.join()] as const, ['std', normalisation.std.join()] as const]
      : []),
    ...(ground === undefined ? [] : [['ground', ground] as const]),
    ...(testAccuracy === undefined ? [] : [['test_accuracy', String(testAccuracy)] as const]),
  ]);
}

/**
 * @param file the file's name, for messages
 * @throws Failure `bad-file` naming the key whose value is wrong
 */
export function readWeightsMetadata(file: string, metadata: ReadonlyMap<string, string>): WeightsInfo {
  const model = metadata.get('model');
  const classes = metadata.get('classes');
  const dataset = metadata.get('dataset');
  const mean = numbersOf(file, metadata, 'mean');
  const std = numbersOf(file, metadata, 'std');
  const ground = metadata.get('ground');
  if (!isGround(ground)) throw bad(file, 'ground', 'dark, light or none', ground);
  const [testAccuracy] = numbersOf(file, metadata, 'test_accuracy') ?? [];
  if (mean && std && (mean.length !== std.length || std.some((value) => value <= 0)))
    throw bad(file, 'std', `${mean.length} numbers above 0, as many as mean has`, std.join());
  const found = model === undefined ? undefined : parseModel(`${file}, metadata "model"`, model);
  const names = classes === undefined ? undefined : namesOf(file, classes);
  if (found && names && names.length !== found.classes)
    throw bad(file, 'classes', `${found.classes} names, as the model has classes`, `${names.length} names`);
  if (found && mean && mean.length !== found.input[0])
    throw bad(file, 'mean', `${found.input[0]} numbers, as the model’s images have channels`, mean.join());
  return {
    ...(found ? { model: found } : {}),
    ...(names ? { classes: names } : {}),
    dataset,
    ...(mean && std ? { normalisation: { mean, std } } : {}),
    ...(ground === undefined ? {} : { ground }),
    testAccuracy,
  };
}

const isGround = (text: string | undefined): text is WeightsInfo['ground'] =>
  text === undefined || ['dark', 'light', 'none'].includes(text);

/**
 * @param file the weights' file, for messages
 * @throws Failure `bad-file` if weights are missing, or of other shapes than the model's
 */
export function requireFit(file: string, model: Model, parameters: StateDict): void {
  try {
    flatten(layoutParameters(inferShapes(model.layers, [1, ...model.input])), parameters);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const images = `${model.input.join(' x ')} images and ${model.classes} classes`;
    throw new Failure(
      'bad-file',
      `${file} does not fit ${model.title} for ${images}: ${error.message}`,
      'Give the model that the weights were trained with, or other weights.',
    );
  }
}

function numbersOf(
  file: string,
  metadata: ReadonlyMap<string, string>,
  key: string,
): readonly number[] | undefined {
  const text = metadata.get(key);
  if (text === undefined) return undefined;
  const numbers = text.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));
  if (!numbers.every(Number.isFinite)) throw bad(file, key, 'numbers separated by commas', text);
  return numbers;
}

function namesOf(file: string, text: string): string[] {
  try {
    const names = parsePlainJson(text);
    if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names;
  } catch {
    // Refused below.
  }
  throw bad(file, 'classes', 'a JSON list of names', text);
}

const bad = (file: string, key: string, expected: string, found: string): Failure =>
  new Failure(
    'bad-file',
    `${file}: expected metadata "${key}" to be ${expected}, found "${found.slice(0, 60)}"`,
  );
