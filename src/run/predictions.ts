/** Predictions of many images, as data: per image, in total, and as files. */
import { softmax } from '../base/softmax.ts';

/** One image that was predicted. */
export interface ImagePrediction {
  /** Its place among the images. */
  index: number;
  /** The path of its file, if it came from one. */
  file?: string;
  /** Its true class, if it is known. */
  label?: number;
  /** The predicted class: the first of the largest logits. */
  class: number;
  /** Its name. */
  answer: string;
  /** By class, summing to 1. */
  probabilities: Float32Array;
  logits: Float32Array;
}

/** Images that were predicted. */
export interface PredictionSet {
  /** Names of the classes. */
  classes: readonly string[];
  /** count x classes */
  logits: Float32Array;
  /** The true class of every image, if they are known. */
  labels?: Uint8Array | undefined;
  /** The path of every image's file, if they came from files. */
  files?: readonly string[] | undefined;
}

export const countOf = ({ logits, classes }: Pick<PredictionSet, 'logits' | 'classes'>): number =>
  logits.length / classes.length;

export function predictionAt(
  { classes, logits, labels, files }: PredictionSet,
  index: number,
): ImagePrediction {
  const own = logits.slice(index * classes.length, (index + 1) * classes.length);
  const predicted = largestOf(own);
  return {
    index,
    ...(files ? { file: files[index] } : {}),
    ...(labels ? { label: labels[index] } : {}),
    answer: classes[predicted],
    class: predicted,
    probabilities: softmax(own),
    logits: own,
  };
}

/** One line of JSON. */
export const predictionLine = ({ probabilities, logits, ...rest }: ImagePrediction) => ({
  ...rest,
  probabilities: [...probabilities],
  logits: [...logits],
});

/**
 * Accuracy and mean cross-entropy over the first `count` images; undefined without labels.
 */
export function scoreOf(
  { classes, logits, labels }: PredictionSet,
  count: number,
): { accuracy: number; loss: number } | undefined {
  if (!labels) return undefined;
  let [correct, loss] = [0, 0];
  for (let i = 0; i < count; i++) {
    const own = logits.subarray(i * classes.length, (i + 1) * classes.length);
    if (largestOf(own) === labels[i]) correct++;
    const largest = own.reduce((a, b) => Math.max(a, b));
    const sum = own.reduce((total, logit) => total + Math.exp(logit - largest), 0);
    loss += Math.log(sum) + largest - own[labels[i]];
  }
  return { accuracy: correct / count, loss: loss / count };
}

/** All predictions as JSON lines. */
export const toJsonLines = (set: PredictionSet): string =>
  Array.from(
    { length: countOf(set) },
    (_, i) => `${JSON.stringify(predictionLine(predictionAt(set, i)))}\n`,
  ).join('');

/** All predictions as a table: index, file, true class, predicted class, and a probability per class. */
export function toCsv(set: PredictionSet): string {
  const { classes, files, labels } = set;
  const head = [
    'index',
    ...(files ? ['file'] : []),
    ...(labels ? ['label'] : []),
    'answer',
    ...classes.map((name) => `p(${name})`),
  ];
  const rows = Array.from({ length: countOf(set) }, (_, i) => {
    const { file, label, answer, probabilities } = predictionAt(set, i);
    return [
      i,
      ...(file === undefined ? [] : [file]),
      ...(label === undefined ? [] : [classes[label]]),
      answer,
      ...[...probabilities].map((p) => Number(p.toPrecision(6))),
    ];
  });
  return [head, ...rows].map((row) => `${row.map(cell).join(',')}\n`).join('');
}

/** RFC 4180: quoted if it contains a comma, a quote or a line's end. */
const cell = (value: string | number): string =>
  typeof value === 'string' && /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : String(value);

/** The first of the largest values, as on the device. */
function largestOf(values: Float32Array): number {
  let found = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[found]) found = i;
  return found;
}
