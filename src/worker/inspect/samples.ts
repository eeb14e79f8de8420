/** Test images by their predictions in the last evaluation. */
import { elements } from '../../base/shape.ts';
import type { Dataset } from '../../data/dataset.ts';
import type { SetResults } from '../../engine/evaluation.ts';
import type { PredictedSample, SamplePage, SampleQuery } from '../api.ts';

/** An evaluation on the test set, and its step. */
export interface Evaluated {
  step: number;
  epoch: number;
  evaluation: SetResults;
}

/** Images per request, at most. */
const MOST = 256;

/** The indices of the samples that a query selects, in its order. */
function selectSamples(
  { predictions, confidences }: Pick<SetResults, 'predictions' | 'confidences'>,
  labels: Uint8Array,
  { mistakesOnly, label, prediction, order }: Omit<SampleQuery, 'first' | 'count'>,
): number[] {
  const found: number[] = [];
  predictions.forEach((predicted, i) => {
    if (mistakesOnly && predicted === labels[i]) return;
    if (label !== undefined && labels[i] !== label) return;
    if (prediction !== undefined && predicted !== prediction) return;
    found.push(i);
  });
  if (order === 'file') return found;
  const sign = order === 'surest' ? 1 : -1;
  return found.sort((a, b) => sign * (confidences[b] - confidences[a]) || a - b);
}

export function predictedSamples(
  { shape, test }: Pick<Dataset, 'shape' | 'test'>,
  { step, epoch, evaluation }: Evaluated,
  query: SampleQuery,
): SamplePage {
  const images = test?.images ?? new Uint8Array();
  const labels = test?.labels ?? new Uint8Array();
  const all = selectSamples(evaluation, labels, query);
  const wanted = all.slice(query.first, query.first + Math.min(query.count, MOST));
  const size = elements(shape);
  const bytes = new Uint8Array(wanted.length * size);
  const samples = wanted.map((index, i): PredictedSample => {
    bytes.set(images.subarray(index * size, (index + 1) * size), i * size);
    return {
      index,
      label: labels[index],
      prediction: evaluation.predictions[index],
      confidence: evaluation.confidences[index],
      labelProbability: Math.exp(-evaluation.losses[index]),
    };
  });
  return { step, epoch, total: all.length, samples, images: bytes, shape };
}
