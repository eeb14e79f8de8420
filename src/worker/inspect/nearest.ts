/** The training images that the network finds most alike to one image: nearest by the features before the last layer. */
import { elements } from '../../base/shape.ts';
import type { ForwardPass } from '../../engine/forward-pass.ts';
import type { Trainer } from '../../engine/trainer.ts';
import type { TrainingRun } from '../../train/run.ts';
import type { NearestImages } from '../api.ts';

const SHOWN = 8;
/** Training images searched, at most, and FLOP spent on their features: about a second. */
const SEARCHED = 4096;
const FLOP = { cpu: 40e9, gpu: 4e12 };
/** Images normalised at once. */
const CHUNK = 256;

interface Searched {
  step: number;
  indices: Uint32Array;
  features: Float32Array;
}

/** The features of each run's training images, until its weights change. */
const searched = new WeakMap<TrainingRun, Searched>();

export function nearest(run: TrainingRun, image: Uint8Array): Promise<NearestImages> {
  return run.ask(async (trainer) => {
    const inspector = await trainer.inspector();
    const pixels = trainer.normalised(image);
    // Copies the weights: image and training images are compared by the same ones.
    inspector.look(pixels);
    const { steps: step } = run;
    const passes = await inspector.features();
    const { dataset } = run.config;
    const { train, shape } = dataset;
    let found = searched.get(run);
    if (found?.step !== step) {
      const indices = spread(train.count, searchable(trainer, passes));
      const { features } = await passesOver(trainer, passes, train.images, indices);
      found = { step, indices, features };
      searched.set(run, found);
    }
    const { features } = await passes.features(pixels);
    const order = distances(found.features, features);
    const closest = order
      .slice(0, SHOWN)
      .map(({ at, distance }) => ({
        index: found.indices[at],
        label: train.labels[found.indices[at]],
        distance,
      }));
    const size = elements(shape);
    const images = new Uint8Array(closest.length * size);
    closest.forEach(({ index }, i) =>
      images.set(train.images.subarray(index * size, (index + 1) * size), i * size),
    );
    const { length: searchedCount } = found.indices;
    return {
      step,
      values: features.length,
      searched: searchedCount,
      total: train.count,
      images,
      shape,
      found: closest,
    };
  });
}

/** As many images as fit into the time. */
function searchable({ device }: Trainer, { flop }: ForwardPass): number {
  const affordable = Math.floor(FLOP[device.adapter.cpu ? 'cpu' : 'gpu'] / Math.max(1, flop));
  return Math.max(64, Math.min(SEARCHED, affordable));
}

/** Indices spread evenly over a set. */
export function spread(total: number, most: number): Uint32Array {
  const count = Math.min(total, most);
  return Uint32Array.from({ length: count }, (_, i) => Math.floor((i * total) / count));
}

/** Features and logits of some images of a set. */
export async function passesOver(
  trainer: Trainer,
  passes: ForwardPass,
  images: Uint8Array,
  indices: Uint32Array,
): Promise<{ features: Float32Array; logits: Float32Array }> {
  const size = elements(trainer.options.input);
  let features = new Float32Array();
  let logits = new Float32Array();
  for (let first = 0; first < indices.length; first += CHUNK) {
    const part = indices.subarray(first, first + CHUNK);
    const pixels = new Float32Array(part.length * size);
    part.forEach((index, i) =>
      pixels.set(trainer.normalised(images.subarray(index * size, (index + 1) * size)), i * size),
    );
    const found = await passes.features(pixels);
    if (first === 0) {
      features = new Float32Array((found.features.length / part.length) * indices.length);
      logits = new Float32Array((found.logits.length / part.length) * indices.length);
    }
    features.set(found.features, (first / indices.length) * features.length);
    logits.set(found.logits, (first / indices.length) * logits.length);
  }
  return { features, logits };
}

/**
 * Euclidean distances, the smallest first; the lower index first where they are equal.
 * @param all [count, values]
 * @param one [values]
 */
export function distances(all: Float32Array, one: Float32Array): { at: number; distance: number }[] {
  const values = one.length;
  return Array.from({ length: all.length / values }, (_, at) => {
    let sum = 0;
    for (let i = 0; i < values; i++) sum += (all[at * values + i] - one[i]) ** 2;
    return { at, distance: Math.sqrt(sum) };
  }).sort((a, b) => a.distance - b.distance || a.at - b.at);
}
