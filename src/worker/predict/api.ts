/** Predicting whole sets of images with any weights: types only. */
import type { GroundChoice } from '../../base/pixels/prepare.ts';
import type { Skipped } from '../../data/own/understand.ts';
import type { InferenceTimes } from '../../engine/inference.ts';
import type { PredictionSet } from '../../run/predictions.ts';
import type { Prediction } from '../../train/run.ts';
import type { ModelChoice } from '../builder/api.ts';
import type { GivenFile } from '../data/api.ts';
import type { RunConfig } from '../train/api.ts';

declare module '../api.ts' {
  interface Parts {
    predict: { calls: PredictApi; events: PredictEvent };
  }
}

/** Weights to predict with. */
export interface PredictWeights {
  /** For messages: the name of the file or run. */
  name: string;
  /** A safetensors file. Absent: those of a network that the page comes with, or else the open run's current weights. */
  bytes?: Uint8Array;
  /** The network that the page comes with: "lenet5-mnist". */
  shipped?: string;
  /** Their model, if the file does not contain it. */
  model?: ModelChoice;
  /** The name of the data set that they were trained on, if the file does not contain it. */
  dataset?: string;
}

/** The test images of a data set, or files: images, folders named after classes, zip archives. */
export type PredictImages = ({ dataset: string } | { files: GivenFile[]; from: string }) & {
  /** Whether images on another ground than those of the training are turned. Default `auto`. */
  ground?: GroundChoice;
};

export interface PredictedSet extends PredictionSet, InferenceTimes {
  /** For display: "LeNet-5". */
  model: string;
  /** 0 to 1, and the mean cross-entropy; absent without labels. */
  accuracy?: number;
  loss?: number;
  /** Images that could not be read. */
  skipped: Skipped[];
  /** How many lay on the other ground than the images of the training, and were turned. */
  turned: number;
}

export type PredictEvent = { type: 'predict'; done: number; total: number };

export interface PredictApi {
  /**
   * The prediction of the network that a run with these settings starts from, for one image of C x H x W bytes. Fails with
   * `not-found` if some of its layers are new.
   */
  predictNext(config: RunConfig, image: Uint8Array): Prediction;
  /** A run that trains is paused, then resumes. Progress is reported by events. */
  predictSet(weights: PredictWeights, images: PredictImages): PredictedSet;
}
