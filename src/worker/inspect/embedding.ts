/** Maps of test images by epoch: their features before the last layer, in two dimensions. */
import { lazily } from '../../base/lazily.ts';
import { Failure } from '../../base/result.ts';
import type { TrainingRun } from '../../train/run.ts';
import type { Embedding, EmbeddingMethod, EmbeddingMoment } from '../api.ts';
import { aligned, normalised, principalComponents, type Flat } from './flatten-points.ts';
import { passesOver, spread } from './nearest.ts';

const umap = lazily(() => import('./umap.ts'));

/** Test images in a map, at most; bytes of features that are held; and moments. */
const IMAGES = 500;
const BYTES = 64 * 2 ** 20;
const MOMENTS = 40;

interface Moment extends EmbeddingMoment {
  /** [images, values] */
  features: Float32Array;
  predictions: Uint32Array;
  flat: Partial<Record<EmbeddingMethod, Promise<Flat>>>;
}

interface Recorded {
  indices: Uint32Array;
  moments: Moment[];
}

const recorded = new WeakMap<TrainingRun, Recorded>();

/** Records the features at the current step, and returns all moments so far. */
export function recordEmbedding(run: TrainingRun): Promise<EmbeddingMoment[]> {
  const { test, train } = run.config.dataset;
  const { images, count } = test ?? train;
  return run.ask(async (trainer) => {
    const inspector = await trainer.inspector();
    const all = recorded.get(run) ?? { indices: spread(count, IMAGES), moments: [] };
    recorded.set(run, all);
    const { indices } = all;
    const size = trainer.options.input.reduce((product, side) => product * side, 1);
    // Copies the weights of this step.
    inspector.look(trainer.normalised(images.subarray(0, size)));
    const { steps: step, epochs: epoch } = run;
    // After a restart, what came later is gone.
    all.moments = all.moments.filter((moment) => moment.step < step);
    const { features, logits } = await passesOver(trainer, await inspector.features(), images, indices);
    const classes = logits.length / indices.length;
    const predictions = Uint32Array.from(indices, (_, i) => {
      const own = logits.subarray(i * classes, (i + 1) * classes);
      return own.indexOf(Math.max(...own));
    });
    all.moments.push({ step, epoch, features, predictions, flat: {} });
    const most = Math.max(2, Math.min(MOMENTS, Math.floor(BYTES / features.byteLength)));
    if (all.moments.length > most)
      all.moments = all.moments.filter((_, i) => i % 2 === 0 || i === all.moments.length - 1);
    return all.moments.map((moment) => ({ step: moment.step, epoch: moment.epoch }));
  });
}

/** @throws Failure `not-found` if nothing was recorded at this step */
export async function embedding(run: TrainingRun, step: number, method: EmbeddingMethod): Promise<Embedding> {
  const { indices, moments } = recorded.get(run) ?? { indices: new Uint32Array(), moments: [] };
  const at = moments.findIndex((moment) => moment.step === step);
  if (at < 0) throw new Failure('not-found', `No map was recorded at step ${step}.`, 'Record one now.');
  const { epoch, features, predictions } = moments[at];
  const { points, shares } = await flatAt(moments, at, indices.length, method);
  const { test, train } = run.config.dataset;
  const { labels } = test ?? train;
  return {
    step,
    epoch,
    method,
    points,
    shares,
    indices,
    labels: Uint32Array.from(indices, (index) => labels[index]),
    predictions,
    values: features.length / indices.length,
  };
}

/** Each moment's map is turned to look like the nearest one before it that is known. */
function flatAt(
  moments: readonly Moment[],
  at: number,
  count: number,
  method: EmbeddingMethod,
): Promise<Flat> {
  const { features, flat } = moments[at];
  const make = async (): Promise<Flat> => {
    // Principal components are quick: all earlier ones are made, so that the result does not depend on what was asked.
    const near =
      method === 'pca' ? at - 1 : moments.findLastIndex((one, i) => i !== at && one.flat.umap !== undefined);
    const like = near < 0 ? undefined : await flatAt(moments, near, count, method);
    const found =
      method === 'pca'
        ? principalComponents(features, count)
        : { points: normalised(await (await umap()).umapOf(features, count)) };
    return like ? { ...found, points: aligned(found.points, like.points) } : found;
  };
  return (flat[method] ??= make());
}
