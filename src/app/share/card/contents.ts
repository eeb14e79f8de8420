/** What a run's card shows, brought together: curve, filters, and the person's own digit. */
import { thinned, type Points } from '../../../run/metrics/points.ts';
import { sameShape, type Shape } from '../../../base/shape.ts';
import type { FirstFilters } from '../../../worker/api.ts';
import { ask } from '../../client.ts';
import type { RunRecord } from '../../journal/record.ts';
import { useRuns } from '../../journal/runs-store.ts';
import { usePad } from '../../pad/pad-store.ts';
import { useApp } from '../../state/store.ts';
import { addressOf, parametersOfRun } from '../address.ts';
import { wordsOf, type CardWords } from './words.ts';

export interface CardContents {
  words: CardWords;
  points: Points | undefined;
  /** classes x classes counts; undefined before the first test. */
  confusion: readonly number[] | undefined;
  classes: readonly string[];
  filters: FirstFilters | undefined;
  digit: CardDigit | undefined;
}

/** What somebody drew, and what the run says it is. */
export interface CardDigit {
  /** C x H x W bytes. */
  image: Uint8Array;
  shape: Shape;
  answer: string;
  /** 0 to 1 */
  probability: number;
}

export async function contentsOf(record: RunRecord): Promise<CardContents> {
  const [parameters, curves, filters, digit] = await Promise.all([
    parametersOfRun(record.config),
    ask((api) => api.runs.runCurves(record.id)),
    ask((api) => api.runs.keptFilters(record.id)),
    digitOf(record),
  ]);
  return {
    words: wordsOf(record, addressOf(parameters)),
    points: curves.ok ? thinned(curves.value) : undefined,
    confusion: record.confusion,
    classes: record.classes,
    filters: filters.ok ? filters.value : undefined,
    digit,
  };
}

/** Only of the run of this page, which can still answer; not of the example, or of an image that nobody drew. */
async function digitOf({ id, classes }: RunRecord): Promise<CardDigit | undefined> {
  const { image, shape, source, isExample } = usePad.getState();
  const { runId, runConfig, datasets } = useApp.getState();
  const dataset = datasets.find(({ name }) => name === runConfig?.dataset);
  const isDrawn = image && source === 'drawing' && !isExample;
  if (!isDrawn || runId === 0 || useRuns.getState().open !== id) return undefined;
  if (!dataset || !sameShape(shape, dataset.shape)) return undefined;
  const prediction = await ask((api) => api.train.predict(image));
  if (!prediction.ok) return undefined;
  const { probabilities } = prediction.value;
  const probability = Math.max(...probabilities);
  return { image, shape, answer: classes[probabilities.indexOf(probability)] ?? '', probability };
}
