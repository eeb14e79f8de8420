/**
 * Filters that whiten patches of images, for the first convolution: principal components of the training images' patches,
 * each divided by its standard deviation, and their negatives (Jordan 2024, https://arxiv.org/abs/2404.00498, section 3.2;
 * first by tysam-code, hlb-CIFAR10).
 */
import { symmetricEigen } from '../base/eigen.ts';
import { elements, type Shape } from '../base/shape.ts';
import type { Dataset } from '../data/dataset.ts';
import { whitenedWeight, type FittedModel } from './whitened-weight.ts';

/** Added to variances, so that components of hardly any variance do not amplify noise; of the paper. */
const EPSILON = 5e-4;
/** Multiplications that covariances may take: a second. */
const WORK = 5e8;
const MOST_IMAGES = 5000;

/**
 * The first convolution's filters by its parameter's name. Filters beyond the components and their negatives are missing:
 * they keep their initial values.
 * @throws Failure `bad-input` as `whitenedWeight` does
 */
export function whiteningFilters(
  model: FittedModel,
  dataset: Pick<Dataset, 'train' | 'mean' | 'std'>,
): ReadonlyMap<string, Float32Array> {
  const { name, shape } = whitenedWeight(model);
  const [filters, ...patch] = shape;
  const size = elements(patch);
  const { values, vectors } = symmetricEigen(patchCovariance(dataset, model.input, patch), size);
  const count = Math.min(size, Math.floor(filters / 2));
  const weights = new Float32Array(2 * count * size);
  for (let i = 0; i < count; i++) {
    const scale = 1 / Math.sqrt(values[i] + EPSILON);
    vectors[i].forEach((value, k) => {
      weights[i * size + k] = scale * value;
      weights[(count + i) * size + k] = -scale * value;
    });
  }
  return new Map([[name, weights]]);
}

/** Mean products of the values of all patches of normalised images, [C x R x S, C x R x S]. */
function patchCovariance(
  { train, mean, std }: Pick<Dataset, 'train' | 'mean' | 'std'>,
  [C, H, W]: Shape,
  [, R, S]: Shape,
): Float64Array {
  const size = C * R * S;
  const [rows, columns] = [H - R + 1, W - S + 1];
  const affordable = Math.ceil(WORK / (rows * columns * size * size));
  const images = Math.min(train.count, MOST_IMAGES, affordable);
  const sums = new Float64Array(size * size);
  const patch = new Float64Array(size);
  for (let n = 0; n < images; n++) {
    // Evenly spaced, because some sets are sorted by class.
    const image = Math.floor((n * train.count) / images) * C * H * W;
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++) {
        for (let k = 0; k < size; k++) {
          const [c, r, s] = [Math.floor(k / (R * S)), Math.floor(k / S) % R, k % S];
          const byte = train.images[image + (c * H + y + r) * W + x + s];
          patch[k] = (byte / 255 - mean[c]) / std[c];
        }
        for (let i = 0; i < size; i++) for (let j = 0; j <= i; j++) sums[i * size + j] += patch[i] * patch[j];
      }
    }
  }
  const patches = images * rows * columns;
  return sums.map((_, at) => {
    const [i, j] = [Math.floor(at / size), at % size];
    return sums[Math.max(i, j) * size + Math.min(i, j)] / patches;
  });
}
