/** Which parts of an image a class's score depends on: Grad-CAM and occlusion. */
import { Failure } from '../../base/result.ts';
import { elements, type Shape } from '../../base/shape.ts';
import { softmax } from '../../base/softmax.ts';
import { IMAGES } from '../../engine/graph.ts';
import type { Inspector } from '../../engine/inspect.ts';
import type { TrainingRun } from '../../train/run.ts';
import type { Attribution, AttributionRequest } from '../api.ts';
import { placeOf } from './look.ts';

export function attribution(
  run: TrainingRun,
  { image, method, ofClass, layer }: AttributionRequest,
): Promise<Attribution> {
  return run.ask(async (trainer) => {
    const pixels = trainer.normalised(image);
    const inspector = await trainer.inspector();
    inspector.look(pixels);
    const { steps: step } = run;
    const logits = await inspector.output(inspector.shapes.length - 1);
    const probabilities = softmax(logits);
    const wanted = ofClass ?? probabilities.indexOf(Math.max(...probabilities));
    const about = { step, ofClass: wanted, probability: probabilities[wanted] };
    const { input } = trainer.options;
    if (method === 'occlusion') {
      const found = await occlusionOf(inspector, pixels, input, wanted);
      return { ...about, method, ...found };
    }
    const { name, place } = camLayer(inspector, layer);
    const [values, gradient] = await Promise.all([
      inspector.output(place),
      inspector.classGradient(place, wanted),
    ]);
    if (!gradient) throw new Failure('unsupported', `"${name}" has no gradient.`, 'Choose a later layer.');
    const [, rows, columns] = gradient.shape;
    return {
      ...about,
      method,
      layer: name,
      rows,
      columns,
      values: gradCam(values, gradient.values, gradient.shape[0]),
    };
  });
}

/** The chosen layer, else the last convolution. */
function camLayer(inspector: Inspector, layer: string | undefined): { name: string; place: number } {
  const { shapes } = inspector;
  const place =
    layer === undefined ? shapes.findLastIndex(({ op }) => op.name === 'conv') : placeOf(inspector, layer);
  if (place === IMAGES || shapes[place].output.length !== 4) {
    throw new Failure(
      'unsupported',
      layer === undefined ? 'This network has no convolution.' : `"${layer}" has no feature maps.`,
      'Grad-CAM needs feature maps. Choose occlusion.',
    );
  }
  return { name: shapes[place].layer.name, place };
}

/**
 * Grad-CAM (Selvaraju et al., "Grad-CAM: Visual Explanations from Deep Networks via Gradient-based Localization", ICCV
 * 2017, equations 1 and 2): each channel is weighted by the mean of its gradient, and the positive part of the sum
 * counts.
 * @param activations [K, P, Q]
 * @param gradients of the class's logit with respect to them
 * @returns [P, Q], at least 0
 */
function gradCam(
  activations: ArrayLike<number>,
  gradients: ArrayLike<number>,
  channels: number,
): Float32Array {
  const size = activations.length / channels;
  const map = new Float64Array(size);
  for (let k = 0; k < channels; k++) {
    let weight = 0;
    for (let i = 0; i < size; i++) weight += gradients[k * size + i];
    weight /= size;
    for (let i = 0; i < size; i++) map[i] += weight * activations[k * size + i];
  }
  return Float32Array.from(map, (value) => Math.max(0, value));
}

/** Where the squares lie that cover a line of so many pixels: their starts and their length. */
export function coverings(size: number): { starts: number[]; length: number } {
  const length = Math.max(1, Math.round(size / 4));
  const stride = Math.max(1, Math.round(length / 4));
  const starts: number[] = [];
  for (let start = 0; start < size - length; start += stride) starts.push(start);
  starts.push(size - length);
  return { starts, length };
}

/**
 * Occlusion (Zeiler and Fergus, "Visualizing and Understanding Convolutional Networks", ECCV 2014): a square of the
 * mean colour, 0 after normalisation, covers one place after the other, and the class's probability is computed again.
 * Returns for every pixel by how much it fell, over the squares that cover the pixel, on average.
 */
async function occlusionOf(
  inspector: Inspector,
  image: Float32Array<ArrayBuffer>,
  [C, H, W]: Shape,
  ofClass: number,
): Promise<Pick<Attribution, 'rows' | 'columns' | 'values' | 'square'>> {
  const passes = await inspector.features();
  const [down, across] = [coverings(H), coverings(W)];
  const places = down.starts.flatMap((top) => across.starts.map((left) => ({ top, left })));
  const size = elements([C, H, W]);
  // The first image is not covered.
  const images = new Float32Array((1 + places.length) * size);
  images.set(image);
  places.forEach(({ top, left }, i) => {
    const from = (i + 1) * size;
    images.set(image, from);
    for (let c = 0; c < C; c++) {
      for (let h = top; h < top + down.length; h++) {
        const row = from + (c * H + h) * W;
        images.fill(0, row + left, row + left + across.length);
      }
    }
  });
  const logits = await passes.logits(images);
  const classes = logits.length / (1 + places.length);
  const probability = (i: number) => softmax(logits.subarray(i * classes, (i + 1) * classes))[ofClass];
  const whole = probability(0);
  const sums = new Float64Array(H * W);
  const counts = new Uint32Array(H * W);
  places.forEach(({ top, left }, i) => {
    const fall = whole - probability(i + 1);
    for (let h = top; h < top + down.length; h++) {
      for (let w = left; w < left + across.length; w++) {
        sums[h * W + w] += fall;
        counts[h * W + w]++;
      }
    }
  });
  const values = Float32Array.from(sums, (sum, i) => sum / counts[i]);
  return { rows: H, columns: W, values, square: [down.length, across.length] };
}
