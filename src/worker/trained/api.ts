/** The network that comes with the page, already trained: types only. */
import type { Prediction } from '../../train/run.ts';

declare module '../api.ts' {
  interface Parts {
    trained: { calls: TrainedApi; events: never };
  }
}

export interface TrainedPrediction extends Prediction {
  /** Of the network, on the test set that it was not trained on: 0 to 1. */
  testAccuracy: number;
}

export interface TrainedApi {
  /** The prediction of the built-in LeNet-5 for a digit of 28 x 28 bytes. Needs neither a device nor a run. */
  predictTrained(image: Uint8Array): TrainedPrediction;
}
