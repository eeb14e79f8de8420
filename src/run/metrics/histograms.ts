/**
 * Histograms of a run: how the weights of each layer, their gradients and the layer's outputs are distributed, step by
 * step. What is recorded is kept with the run.
 */

interface Kind {
  readonly title: string;
  /** For people who have never heard of them. */
  readonly everyday: string;
  readonly explanation: string;
}

/** The kinds of values, each described once. */
export const HISTOGRAM_KINDS = {
  weights: {
    title: 'Weights',
    everyday: 'The numbers that the network has learnt. It changes them a little in each step.',
    explanation:
      'They start narrow and widen as the layer learns. Weights that never change are not learning; weights that keep growing diverge.',
  },
  gradients: {
    title: 'Gradients',
    everyday: 'How strongly each of those numbers is being pushed, up or down.',
    explanation:
      'Of the loss in the last step. They shrink as training converges; a layer with far smaller gradients than the others hardly learns.',
  },
  activations: {
    title: 'Activations',
    everyday: 'What comes out of each layer when it looks at images.',
    explanation:
      'Outputs of each layer for 64 training images. Zeros are counted separately: a ReLU that outputs only zeros is dead.',
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type HistogramKind = keyof typeof HISTOGRAM_KINDS;

/** How the values of one layer are distributed. */
export interface Histogram {
  kind: HistogramKind;
  layer: string;
  /** The ends of the values that are not 0; the bins divide what lies between evenly. */
  low: number;
  high: number;
  counts: Uint32Array;
  /** Values that are 0, or almost, and values that are not finite. */
  zeros: number;
  broken: number;
}

/** Everything that was counted at one step. */
export interface HistogramRecord {
  step: number;
  histograms: Histogram[];
}

/** Bins of a stored histogram. */
export const HISTOGRAM_BINS = 64;
/** Records that a run keeps. */
export const MAX_RECORDS = 48;

/**
 * The records with one more. Records from its step on are replaced; when there are too many, every second one is
 * dropped, and the first and the newest stay.
 */
export function withRecord(records: readonly HistogramRecord[], next: HistogramRecord): HistogramRecord[] {
  const all = [...records.filter(({ step }) => step < next.step), next];
  if (all.length <= MAX_RECORDS) return all;
  return all.filter((_, i) => i % 2 === 0 || i === all.length - 1);
}

/** How many values were counted, zeros included. */
export const countOf = ({ counts, zeros }: Histogram): number =>
  counts.reduce((sum, count) => sum + count, zeros);

/** Mean and standard deviation of the finite values, as exact as the bins are fine. */
export function momentsOf(histogram: Histogram): { mean: number; deviation: number } {
  const { low, high, counts } = histogram;
  const count = countOf(histogram);
  const width = (high - low) / counts.length;
  const middle = (i: number) => low + (i + 0.5) * width;
  const mean = counts.reduce((sum, n, i) => sum + n * middle(i), 0) / count;
  const squares = counts.reduce((sum, n, i) => sum + n * middle(i) ** 2, 0) / count;
  return { mean, deviation: Math.sqrt(Math.max(0, squares - mean * mean)) };
}
