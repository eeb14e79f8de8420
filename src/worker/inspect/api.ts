/** Inspection of the run's current model: types only. */
import type { Shape, Pair } from '../../base/shape.ts';
import type { HistogramRecord } from '../../run/metrics/histograms.ts';
import type { ReadPattern } from '../../ops/reads.ts';
import type { ExplainedPixel } from '../../engine/inspect.ts';
import type { Prediction } from '../../train/run.ts';
import type { TrainedPrediction } from '../trained/api.ts';

declare module '../api.ts' {
  interface Parts {
    inspect: { calls: InspectApi; events: never };
  }
}

/** Most confident or least confident first, or in the data set's order. */
export type SampleOrder = 'surest' | 'unsure' | 'file';

export interface SampleQuery {
  /** Excludes correct predictions. */
  mistakesOnly: boolean;
  /** Only images with this true class, and only those with this predicted class. */
  label?: number;
  prediction?: number;
  order: SampleOrder;
  /** The requested part of the list. */
  first: number;
  count: number;
}

/** A test image with its prediction by the last evaluation. */
export interface PredictedSample {
  /** Its index in the test set. */
  index: number;
  label: number;
  prediction: number;
  /** Probabilities, 0 to 1, of the predicted and of the true class. */
  confidence: number;
  labelProbability: number;
}

export interface SamplePage {
  /** The step of the evaluation. */
  step: number;
  epoch: number;
  /** The length of the whole list. */
  total: number;
  samples: PredictedSample[];
  /** Of `samples`, C x H x W bytes each. */
  images: Uint8Array;
  shape: Shape;
}

/** A layer as Inspect shows it; the first is the image, named "input". */
export interface LookLayer {
  name: string;
  /** For display: "Convolution 5 × 5". */
  title: string;
  op: string;
  /** Names of its inputs. */
  takes: string[];
  /** Without N. */
  shape: Shape;
  /** How many channels, or values of a vector, its overview has. */
  overviewChannels: number;
  reads: ReadPattern;
  /** For people: "kernel 5 × 5". */
  settings: string[];
  parameters: number;
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
  /** The layer whose complete output, and filters if any, to return. Default: the first convolution; the image if there is none. */
  layer?: string;
  /** The output value to explain; of a vector, `k` alone. */
  pixel?: ConvPlace;
  /** The layers whose first channels to return. Default: all. */
  maps?: readonly string[];
}

/** An input value, and what it is multiplied by, if anything. */
export interface LookTerm {
  /** "relu1[2, 4, 4]" */
  name: string;
  value: number;
  weight?: number;
  /** The one that a maximum takes. */
  chosen?: boolean;
}

/** How an output value of a layer other than a convolution is computed. */
export interface LookTerms extends ConvPlace {
  /** For people: "the largest of 4 values". */
  formula: string;
  /** Those that contribute most. */
  terms: LookTerm[];
  /** How many terms are not listed, and their sum. */
  left: number;
  leftSum: number;
  /** What the formula names besides: "bias". */
  constants: [name: string, value: number][];
  /** In float64. */
  result: number;
  /** The network's value. */
  network: number;
  /** Their difference, relative to the terms. */
  error: number;
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

/** One output value of a convolution, with the terms of its sum. */
export interface LookPixel extends Omit<ExplainedPixel, 'magnitude'>, ConvPlace {
  window: readonly [R: number, S: number];
  dilation: readonly [vertical: number, horizontal: number];
  /** The filter's input, C x H x W; its shape, and the layer whose output it is. */
  input: Float32Array;
  inputShape: Shape;
  inputName: string;
}

/** The network's prediction for one image, and the activations that led to it, all at one step. */
export interface Look extends Prediction {
  layers: LookLayer[];
  /** The first channels of the requested layers, by name. */
  overviews: Readonly<Record<string, Float32Array>>;
  /** The complete output of the requested layer. */
  output: { layer: string; shape: Shape; values: Float32Array };
  filters?: LookFilters;
  /** Of a convolution. */
  pixel?: LookPixel;
  /** Of any other layer. */
  terms?: LookTerms;
}

/** Grad-CAM, or occlusion. */
export type AttributionMethod = 'grad-cam' | 'occlusion';

export interface AttributionRequest {
  /** C x H x W bytes. */
  image: Uint8Array;
  method: AttributionMethod;
  /** Default: the predicted class. */
  ofClass?: number;
  /** Of Grad-CAM: a layer with maps. Default: the last convolution. */
  layer?: string;
}

/** How much each part of an image speaks for a class. */
export interface Attribution {
  step: number;
  method: AttributionMethod;
  ofClass: number;
  /** Of the class, 0 to 1. */
  probability: number;
  /** rows x columns over the whole image. Occlusion: by how much the probability fell. */
  values: Float32Array;
  rows: number;
  columns: number;
  /** Of Grad-CAM. */
  layer?: string;
  /** Of occlusion: rows and columns of the covering square. */
  square?: Pair;
}

/** Training images whose features are closest, by Euclidean distance. */
export interface NearestImages {
  step: number;
  /** How many features there are. */
  values: number;
  /** How many of how many training images were compared. */
  searched: number;
  total: number;
  /** C x H x W bytes each. */
  images: Uint8Array;
  shape: Shape;
  found: { index: number; label: number; distance: number }[];
}

/** For each channel of a layer, the number of test images with a non-zero activation. */
export interface Firing {
  layer: string;
  step: number;
  images: number;
  /** One per channel. */
  counts: Uint32Array;
}

/** Principal components, or UMAP. */
export type EmbeddingMethod = 'pca' | 'umap';

/** When the features of test images were recorded. */
export interface EmbeddingMoment {
  step: number;
  epoch: number;
}

/** A map of test images: near each other lie those with similar features before the last layer. */
export interface Embedding extends EmbeddingMoment {
  method: EmbeddingMethod;
  /** [images, 2], centred, with a mean square distance of 1 from the centre. */
  points: Float32Array;
  /** Of principal components: the share of the variance along each axis. */
  shares?: readonly [number, number];
  /** Of the images in the test set, or in the training set if there is none. */
  indices: Uint32Array;
  labels: Uint32Array;
  predictions: Uint32Array;
  /** How many features there are. */
  values: number;
}

/** Histograms of one step, and how long counting takes. */
export interface CountedHistograms extends HistogramRecord {
  milliseconds: number;
}

/** Images of the last batch, as they entered the network. */
export interface BatchPage {
  step: number;
  /** The number of images in the batch. */
  total: number;
  /** C x H x W values each, after normalisation. */
  images: Float32Array;
  shape: Shape;
  /** The normalisation of the images, per channel. */
  mean: number[];
  std: number[];
  labels: Uint32Array;
  /** Indices in the training set. */
  indices: Uint32Array;
  /** With mixup: the labels of the blended images, and the share of the image itself. */
  blended?: { labels: Uint32Array; share: number };
}

export interface InspectApi {
  /** Evaluates on the test set, and reports it as after an epoch. A run that trains is paused, then resumes. */
  evaluateNow(): void;
  /** Some of the test images, by their predictions in the last evaluation. A failure if there was none. */
  predictedSamples(query: SampleQuery): SamplePage;
  /** Runs one image through the network, also while it trains. */
  look(request: LookRequest): Look;
  /** The same in the network that comes with the page, before the first run. */
  lookTrained(request: LookRequest): Look & TrainedPrediction;
  /** Runs some test images through the network, to find channels of a layer that are always zero. */
  firing(layer: string): Firing;
  /** The first convolution's current filters, also while it trains; undefined if the network has none. */
  firstFilters(): FirstFilters | undefined;
  /** Which parts of an image a class's score depends on. */
  attribution(request: AttributionRequest): Attribution;
  /** The training images most alike to this one in the network's features. @param image C x H x W bytes */
  nearest(image: Uint8Array): NearestImages;
  /** The distributions of weights, gradients and activations, also while it trains. */
  histograms(): CountedHistograms;
  /** Records the features of some test images at the current step. Returns all moments that can be shown. */
  recordEmbedding(): EmbeddingMoment[];
  /** The map of a recorded moment. */
  embedding(step: number, method: EmbeddingMethod): Embedding;
  /** The last batch as the network saw it. */
  seenBatch(first: number, count: number): BatchPage;
}
