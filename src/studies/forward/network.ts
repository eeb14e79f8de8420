/** The network that the report optimises, and how many images it runs on. */
import { convLayers } from '../../engine/ops/conv/choice/layers.ts';
import type { ConvProblem } from '../../engine/ops/conv/problem.ts';
import model from '../../models/ece408_48.ts';
import type { ReportPart } from './published.ts';

export const MODEL = model;

/** Its convolutions. */
export interface PublishedConvolution {
  /** Its name in the network. */
  layer: 'conv1' | 'conv2';
  /** "conv1: c1 48x48 k6 5x5" */
  title: string;
  /** Its name in the report. */
  part: ReportPart;
}

/** The sizes of a layer, whatever the number of images. */
const sizesOf = ({ C, H, W, K, R, S }: ConvProblem) => `c${C} ${H}x${W} k${K} ${R}x${S}`;

/** The convolutions for so many images. */
export const problemsFor = (N: number): ConvProblem[] =>
  convLayers(MODEL.layers, [N, ...MODEL.input]).map(({ problem }) => problem);

const [first, second] = problemsFor(1);
export const CONVOLUTIONS: readonly PublishedConvolution[] = [
  { layer: 'conv1', title: `conv1: ${sizesOf(first)}`, part: 'layer 1' },
  { layer: 'conv2', title: `conv2: ${sizesOf(second)}`, part: 'layer 2' },
];

/** Images, the largest number first. */
export const countsFor = (small: boolean): readonly number[] => (small ? [40, 20, 10] : [10_000, 1000, 100]);
/** The counts of the report, as it writes them. */
export const REPORTED_COUNTS = countsFor(false).map((count) => ({
  count,
  images: count.toLocaleString('en'),
}));
