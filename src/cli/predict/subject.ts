/** What `predict` works on: a trained network, and images with labels as far as they are known. */
import { Failure } from '../../base/result.ts';
import { elements, sameShape } from '../../base/shape.ts';
import type { Skipped } from '../../data/own/understand.ts';
import type { StateDict } from '../../engine/parameters.ts';
import type { Normalisation } from '../../engine/samples.ts';
import { requireFit } from '../../models/file/weights.ts';
import { fitModel, type Model } from '../../models/model.ts';
import { dataWanted, readNamedDataset, titleOf } from '../datasets.ts';
import { readPicturesAt } from '../own.ts';
import type { Trained } from '../../models/file/weights.ts';
import { readTrained } from '../weights.ts';

export interface SubjectOptions {
  weights: string;
  model: string | undefined;
  images: string | undefined;
  dataset: string | undefined;
  'data-dir': string | undefined;
  labels: string | undefined;
  splits: string | undefined;
  split: 'test' | 'train';
  mean: readonly number[] | undefined;
  std: readonly number[] | undefined;
}

export interface Subject {
  /** Fitted to the images. */
  model: Model;
  parameters: StateDict;
  normalisation: Normalisation;
  /** Names of the classes. */
  classes: readonly string[];
  /** The number of images. */
  total: number;
  /** total x C x H x W bytes */
  images: Uint8Array;
  labels?: Uint8Array;
  /** Their paths, if they come from files. */
  files?: readonly string[];
  /** Images that could not be read. */
  skipped: readonly Skipped[];
}

/** Images with what comes with them. */
type Images = Pick<Subject, 'model' | 'classes' | 'images' | 'labels' | 'files' | 'skipped'> & {
  normalisation?: Normalisation;
};

/** @throws Failure if a file is wrong, or weights, model and images do not fit together */
export async function subjectOf(options: SubjectOptions, note: (message: string) => void): Promise<Subject> {
  const trained = await readTrained(options.weights, options.model);
  const { labels, files, ...found } =
    options.images === undefined
      ? await fromDataset(trained, options, note)
      : await fromPictures(trained, options.images);
  const { model, classes, images, skipped } = found;
  requireFit(options.weights, model, trained.parameters);
  return {
    model,
    parameters: trained.parameters,
    classes,
    images,
    skipped,
    total: images.length / elements(model.input),
    normalisation: normalisationOf(options, trained, found.normalisation),
    labels,
    files,
  };
}

async function fromPictures({ model, info }: Trained, path: string): Promise<Images> {
  const classes = info.classes ?? Array.from({ length: model.classes }, (_, i) => String(i));
  const { images, labels, files, skipped } = await readPicturesAt(path, model.input, classes);
  return { model, classes, images, files, skipped, labels };
}

async function fromDataset(
  { model: given, info: trainedOn }: Trained,
  { weights, model: named, dataset: name = '', split, ...options }: SubjectOptions,
  note: (message: string) => void,
): Promise<Images> {
  const { dataset } = await readNamedDataset(name, {
    ...dataWanted(options),
    trainOnly: split === 'train',
    shape: given.input,
    note,
  });
  const { shape, classes: own, mean, std } = dataset;
  const title = titleOf(name);
  const set = dataset[split];
  if (!set) throw new Failure('not-found', `${title} has no ${split} images`);
  // A registered model is fitted to the images as in training; the one in the file is what it is.
  const model = named === undefined ? given : fitModel(given, { name: title, shape, classes: own });
  if (!sameShape(model.input, shape) || model.classes !== own.length) {
    throw new Failure(
      'bad-input',
      `${weights} is for images of ${model.input.join(' x ')} and ${model.classes} classes; ` +
        `${title} has ${shape.join(' x ')} and ${own.length}`,
      'Choose a data set that fits, or predict single files with --images, which are resized.',
    );
  }
  const classes = trainedOn.classes ?? own;
  const sameClasses = classes.every((one, i) => one === own[i]);
  if (!sameClasses) {
    const where = trainedOn.dataset === undefined ? 'other data' : titleOf(trainedOn.dataset);
    note(
      `The weights were trained on ${where}, with other classes than ${title}'s, so there is no accuracy.`,
    );
  }
  const { images, labels } = set;
  return {
    model,
    classes,
    images,
    skipped: [],
    normalisation: { mean, std },
    ...(sameClasses ? { labels } : {}),
  };
}

/** As given, else as in the weights' training, else as the data set usually is. */
function normalisationOf(
  { mean, std, weights }: SubjectOptions,
  { model, info }: Trained,
  usual: Normalisation | undefined,
): Normalisation {
  if ((mean === undefined) !== (std === undefined)) {
    throw new Failure('bad-input', 'expected both --mean and --std, or neither');
  }
  const found = mean && std ? { mean, std } : (info.normalisation ?? usual);
  if (!found) {
    throw new Failure(
      'bad-input',
      `${weights} does not say how images were normalised in training`,
      'Give --mean and --std, per channel for pixels from 0 to 1.',
    );
  }
  const [channels] = model.input;
  for (const [name, numbers] of Object.entries(found)) {
    if (numbers.length !== channels)
      throw new Failure('bad-input', `--${name}: expected ${channels} numbers, found ${numbers.length}`);
  }
  return found;
}
