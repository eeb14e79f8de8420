/** What `predict` works on: a trained network, and images with labels as far as they are known. */
import type { GroundChoice, ImageTarget } from '../../base/pixels/prepare.ts';
import { Failure } from '../../base/result.ts';
import { elements, sameShape, type Shape } from '../../base/shape.ts';
import { datasets } from '../../data/catalogue.ts';
import { imageTarget, imagesOnGround } from '../../data/own/pictures.ts';
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
  ground: GroundChoice;
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
  /** How many lay on the other ground than the images of the training, and were turned. */
  turned: number;
}

/** Images with what comes with them. */
type Images = Pick<Subject, 'model' | 'classes' | 'images' | 'labels' | 'files' | 'skipped' | 'turned'> & {
  normalisation?: Normalisation;
};

/**
 * @param given the network, if it is read already
 * @throws Failure if a file is wrong, or weights, model and images do not fit together
 */
export async function subjectOf(
  options: SubjectOptions,
  note: (message: string) => void,
  given?: Trained,
): Promise<Subject> {
  const trained = given ?? (await readTrained(options.weights, options.model));
  const { labels, files, ...found } =
    options.images === undefined
      ? await fromDataset(trained, options, note)
      : await fromPictures(trained, options.images, options.ground);
  const { model, classes, images, skipped, turned } = found;
  if (turned > 0) note(turnedNote(turned, options.ground));
  requireFit(options.weights, model, trained.parameters);
  return {
    model,
    parameters: trained.parameters,
    classes,
    images,
    skipped,
    turned,
    total: images.length / elements(model.input),
    normalisation: normalisationOf(options, trained, found.normalisation),
    labels,
    files,
  };
}

const turnedNote = (turned: number, ground: GroundChoice): string =>
  ground === 'invert'
    ? `Turned: ${turned} images, as --ground invert asks`
    : `Turned: ${turned} images, which lie on the other ground than those of the training; --ground keep leaves them`;

/** The images that the network knows. */
const targetOf = ({ info }: Trained, shape: Shape): ImageTarget =>
  imageTarget(
    shape,
    info.ground,
    info.dataset !== undefined && datasets.has(info.dataset) ? datasets.get(info.dataset) : undefined,
  );

async function fromPictures(trained: Trained, path: string, ground: GroundChoice): Promise<Images> {
  const { model, info } = trained;
  const classes = info.classes ?? Array.from({ length: model.classes }, (_, i) => String(i));
  return { model, classes, ...(await readPicturesAt(path, targetOf(trained, model.input), classes, ground)) };
}

async function fromDataset(
  trained: Trained,
  { weights, model: named, dataset: name = '', split, ...options }: SubjectOptions,
  note: (message: string) => void,
): Promise<Images> {
  const { model: given, info: trainedOn } = trained;
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
  const target = targetOf(trained, shape);
  const isKnown = options.ground !== 'invert' && dataset.ground === target.ground;
  const { images, turned } = isKnown
    ? { images: set.images, turned: 0 }
    : imagesOnGround(set.images, target, options.ground);
  const { labels } = set;
  return {
    model,
    classes,
    images,
    turned,
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
