/** The pad: its image, and the model's answer for it. */
import { create } from 'zustand';
import type { FailureValue } from '../../base/result.ts';
import type { Shape } from '../../base/shape.ts';
import type { Look, Prediction, TrainedPrediction } from '../../worker/api.ts';
import type { PenStroke } from './drawing.ts';

/** Whose predictions the pad shows: those of the network that comes with the page, or of the run, open or next. */
export type PadNetwork = 'trained' | 'run';

/** Of the network that the next run starts from. */
export interface NextPrediction extends Prediction {
  /** That network, for people. */
  from: string;
}

interface PadState {
  network: PadNetwork;
  /** What was drawn; empty while a ready image lies on the pad. */
  strokes: readonly PenStroke[];
  /** The page put it there, as an example, which the first stroke of one's own replaces. */
  isExample: boolean;
  /** The data set of the last example: each has one, until another follows. */
  exampleOf: string | undefined;
  /** The pad's image as it enters the network, C x H x W bytes; undefined while the pad is blank. */
  image: Uint8Array | undefined;
  /** [C, H, W] of the image. */
  shape: Shape;
  /** Whether the image was drawn on the pad, or came from a file, the clipboard or a camera, or is one of the data set's. */
  source: 'drawing' | 'file' | 'sample';
  /** Where a ready image comes from, for people: "Test image 12, a 7". */
  origin: string | undefined;
  /** Layers whose maps a picture shows while it can be seen; empty before they are known, undefined without a picture. */
  pictured: readonly string[] | undefined;
  /** The network's latest prediction for it; for a picture, with the activations that led to it. */
  prediction: Prediction | TrainedPrediction | NextPrediction | Look | undefined;
  error: FailureValue | undefined;
}

export const usePad = create<PadState>()(() => ({
  network: 'trained',
  strokes: [],
  isExample: false,
  exampleOf: undefined,
  image: undefined,
  shape: [1, 28, 28],
  source: 'drawing',
  origin: undefined,
  pictured: undefined,
  prediction: undefined,
  error: undefined,
}));
