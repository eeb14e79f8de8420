/** Looking into the run's model as it is now: types only. */
import type { Result } from '../../base/result.ts';
import type { Shape } from '../../base/shape.ts';
import type { ExplainedPixel } from '../../engine/inspect.ts';

declare module '../api.ts' {
  interface Parts {
    inspect: { calls: InspectApi; events: never };
  }
}

/** Most confident or least confident first, or in the data set's order. */
export type SampleOrder = 'surest' | 'unsure' | 'file';

export interface SampleQuery {
  /** Leaves out correct predictions. */
  mistakesOnly: boolean;
  /** Only images of this class, and only those predicted as that one. */
  truth?: number;
  answer?: number;
  order: SampleOrder;
  /** Which part of the list is wanted. */
  first: number;
  count: number;
}

/** A test image with its prediction by the last evaluation. */
export interface JudgedSample {
  /** Its place in the test set. */
  index: number;
  truth: number;
  answer: number;
  /** Probabilities, 0 to 1, of the answer and of the truth. */
  confidence: number;
  truthProbability: number;
}

export interface SamplePage {
  /** When the evaluation was made. */
  step: number;
  epoch: number;
  /** How many there are in the whole list. */
  total: number;
  samples: JudgedSample[];
  /** Of `samples`, C x H x W bytes each. */
  images: Uint8Array;
  shape: Shape;
}

/** A part of the network as a look shows it; the first of them is the image, under the name "input". */
export interface LookLayer {
  name: string;
  /** In words: "Convolution 5×5". */
  title: string;
  op: string;
  /** Names of what it takes. */
  takes: string[];
  /** Without N. */
  shape: Shape;
  /** How many channels, or numbers of a vector, the glance has. */
  glanced: number;
}

export interface ConvPlace {
  /** Filter, row and column of an output. */
  k: number;
  p: number;
  q: number;
}

export interface LookRequest {
  /** C x H x W bytes. */
  image: Uint8Array;
  /** Whose output is wanted whole, and its filters if it has any. */
  layer: string;
  /** Of a convolution: the output to work out. */
  pixel?: ConvPlace;
}

/** A convolution's filters. */
export interface LookFilters {
  /** [K, C / groups, R, S] */
  shape: Shape;
  weights: Float32Array;
  /** [K] */
  bias?: Float32Array;
}

/** The filters of the network's first convolution, at some step. */
export interface FirstFilters extends LookFilters {
  step: number;
  layer: string;
}

/** One number of a convolution, and what it is a sum of. */
export interface LookPixel extends Omit<ExplainedPixel, 'magnitude'>, ConvPlace {
  window: readonly [R: number, S: number];
  dilation: readonly [vertical: number, horizontal: number];
  /** The filter's input, C x H x W; its shape, and the layer whose output it is. */
  input: Float32Array;
  inputShape: Shape;
  inputName: string;
}

/** One image on its way through the network; all of one moment. */
export interface Look {
  step: number;
  /** One a class, summing to 1. */
  probabilities: Float32Array;
  layers: LookLayer[];
  /** Of each of `layers`: its first channels. */
  glances: Float32Array[];
  /** The whole output of the wanted layer. */
  output: { layer: string; shape: Shape; values: Float32Array };
  filters?: LookFilters;
  pixel?: LookPixel;
}

/** For each channel of a layer, the number of test images with a non-zero activation. */
export interface Firing {
  layer: string;
  step: number;
  images: number;
  /** One a channel. */
  counts: Uint32Array;
}

/** Images of the last batch, as they entered the network. */
export interface BatchPage {
  step: number;
  /** In the whole batch. */
  total: number;
  /** C x H x W numbers each, after normalisation. */
  images: Float32Array;
  shape: Shape;
  /** By which the images were normalised, per channel. */
  mean: number[];
  std: number[];
  labels: Uint32Array;
  /** Places in the training set. */
  indices: Uint32Array;
  /** With mixup: what is blended in, and the share of the image itself. */
  blended?: { labels: Uint32Array; share: number };
}

export interface InspectApi {
  /** Evaluates on the test set, and reports it as after an epoch. A run that trains is paused, then resumes. */
  evaluateNow(): Promise<Result<void>>;
  /** Some of the test images, by their predictions in the last evaluation. A failure if there was none. */
  judgedSamples(query: SampleQuery): Promise<Result<SamplePage>>;
  /** Runs one image through the network, also while it trains. */
  look(request: LookRequest): Promise<Result<Look>>;
  /** Runs some test images through the network, to find channels of a layer that are always zero. */
  firing(layer: string): Promise<Result<Firing>>;
  /** The first convolution's filters as they are now, also while it trains; undefined where the network has none. */
  firstFilters(): Promise<Result<FirstFilters | undefined>>;
  /** The last batch as the network saw it. */
  seenBatch(first: number, count: number): Promise<Result<BatchPage>>;
}
