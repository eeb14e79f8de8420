/** Predicts a whole set of images with weights of a run or a file. */
import { Failure } from '../../base/result.ts';
import { elements, sameShape } from '../../base/shape.ts';
import type { Skipped } from '../../data/own/understand.ts';
import { imageTarget, imagesOnGround, readPictures } from '../../data/own/pictures.ts';
import { Inference } from '../../engine/inference.ts';
import type { KnownChoices } from '../../engine/ops/conv/choice/db.ts';
import type { Device } from '../../gpu/device.ts';
import type { Trained, WeightsInfo } from '../../models/file/weights.ts';
import { scoreOf } from '../../run/predictions.ts';
import type { PredictedSet, PredictImages, PredictWeights } from '../api.ts';
import type { Datasets } from '../data/datasets.ts';
import { decodePicture } from '../data/decode.ts';
import { asOwn } from '../data/own.ts';
import { shippedFile } from '../train/starts.ts';
import { trainedFrom, type TrainedOptions } from './trained-from.ts';
import type { Services } from '../services.ts';

interface PredictOptions extends TrainedOptions {
  device: Device;
  known: KnownChoices;
  datasets: Pick<Datasets, 'infos' | 'get'>;
  signal: AbortSignal;
  onProgress(done: number, total: number): void;
}

/** Images in a forward pass; on a processor few, so that it can be stopped. */
const BATCH = { gpu: 250, processor: 50 };
/** Skipped files that are reported at most. */
const MAX_LISTED = 100;

/** In the page, while nothing else uses the device. @throws Failure as `predictSet`; `busy` */
export const predictHere = (
  { datasets, events, gpu, pageUrl, runs, supply, tuningResults }: Services,
  weights: PredictWeights,
  images: PredictImages,
): Promise<PredictedSet> =>
  gpu.run('predict', async (signal) => {
    const device = await supply.get();
    await tuningResults.load(device);
    const { shipped } = weights;
    const bytes = shipped === undefined ? weights.bytes : await shippedFile(shipped, pageUrl);
    return predictSet({ ...weights, ...(bytes ? { bytes } : {}) }, images, {
      device,
      known: tuningResults.known(device),
      datasets,
      run: () => runs.run,
      signal,
      onProgress: (done, total) => events.send({ type: 'predict', done, total }),
    });
  });

/** @throws Failure if a file is wrong, or weights, model and images do not fit together; `cancelled` */
export async function predictSet(
  weights: PredictWeights,
  images: PredictImages,
  options: PredictOptions,
): Promise<PredictedSet> {
  const { device, known, signal, onProgress } = options;
  const trained = await trainedFrom(weights, options);
  const set = await imagesFor(trained, images, options);
  const { model, parameters } = trained;
  const normalisation = trained.info.normalisation ?? set.normalisation;
  if (!normalisation) {
    throw new Failure(
      'bad-input',
      `${weights.name} does not say how images were normalised in training.`,
      'Choose a saved run, weights that wgrad saved, or the images of a data set.',
    );
  }
  const total = set.images.length / elements(model.input);
  const inference = await Inference.load(device, {
    layers: model.layers,
    input: model.input,
    parameters,
    normalisation,
    batchSize: Math.min(total, device.onProcessor ? BATCH.processor : BATCH.gpu),
    count: total,
    known,
  });
  try {
    const inferred = await inference.run(set.images, (done) => {
      onProgress(done, total);
      return !signal.aborted;
    });
    if (!inferred) throw new Failure('cancelled', 'Stopped.');
    const { classes, labels, files, skipped, turned } = set;
    const predicted = { classes, logits: inferred.logits, labels, files };
    return {
      ...inferred,
      ...predicted,
      ...scoreOf(predicted, total),
      model: model.title,
      skipped: skipped.slice(0, MAX_LISTED),
      turned,
    };
  } finally {
    inference.destroy();
  }
}

type Images = Pick<PredictedSet, 'classes' | 'labels' | 'files'> & {
  images: Uint8Array;
  skipped: Skipped[];
  turned: number;
  normalisation?: WeightsInfo['normalisation'];
};

async function imagesFor(
  { model, info }: Trained,
  wanted: PredictImages,
  { datasets, signal }: PredictOptions,
): Promise<Images> {
  const infos = await datasets.infos();
  const target = imageTarget(
    model.input,
    info.ground,
    infos.find(({ name }) => name === info.dataset),
  );
  const { ground: choice = 'auto' } = wanted;
  if ('files' in wanted) {
    const classes = info.classes ?? Array.from({ length: model.classes }, (_, i) => String(i));
    const { from } = wanted;
    const found = await readPictures(wanted.files.map(asOwn), classes, {
      ...target,
      choice,
      from,
      decode: decodePicture,
      signal,
    });
    return { ...found, classes };
  }
  const { test, shape, classes: own, mean, std, ground } = await datasets.get(wanted.dataset);
  const title = infos.find(({ name }) => name === wanted.dataset)?.title ?? wanted.dataset;
  if (!test) throw new Failure('not-found', `${title} has no test images.`);
  if (!sameShape(model.input, shape) || model.classes !== own.length) {
    throw new Failure(
      'bad-input',
      `The weights are for images of ${model.input.join(' × ')} and ${model.classes} classes; ` +
        `${title} has ${shape.join(' × ')} and ${own.length}.`,
      'Choose other images, or single files, which are resized.',
    );
  }
  const classes = info.classes ?? own;
  const sameClasses = classes.every((one, i) => one === own[i]);
  const isKnown = choice !== 'invert' && ground === target.ground;
  return {
    ...(isKnown ? { images: test.images, turned: 0 } : imagesOnGround(test.images, target, choice)),
    classes,
    skipped: [],
    normalisation: { mean, std },
    ...(sameClasses ? { labels: test.labels } : {}),
  };
}
