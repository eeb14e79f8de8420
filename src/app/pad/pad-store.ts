import type { FailureValue } from '../../base/result.ts';
import type { Shape } from '../../base/shape.ts';
import type { Prediction } from '../../worker/api.ts';
import type { Slice } from '../state/slice.ts';

export interface PadSlice {
  /** The pad's image as it enters the network, C x H x W bytes; undefined while the pad is blank. */
  padImage: Uint8Array | undefined;
  /** [C, H, W] of the image. */
  padShape: Shape;
  /** Whether the image was drawn on the pad, or put there ready-made. */
  padSource: 'drawing' | 'sample';
  /** Where a ready image comes from, for people: "Test image 12, a 7". */
  padOrigin: string | undefined;
  /** The model's newest answer for it. */
  prediction: Prediction | undefined;
  predictionError: FailureValue | undefined;
  setPadImage(
    image: Uint8Array | undefined,
    source: PadSlice['padSource'],
    shape: Shape,
    origin?: string,
  ): void;
  setPrediction(prediction: Prediction | undefined, error?: FailureValue): void;
}

export const padSlice: Slice<PadSlice> = (set) => ({
  padImage: undefined,
  padShape: [1, 28, 28],
  padSource: 'drawing',
  padOrigin: undefined,
  prediction: undefined,
  predictionError: undefined,
  setPadImage: (padImage, padSource, padShape, padOrigin) =>
    set({
      padImage,
      padSource,
      padShape,
      padOrigin,
      ...(padImage ? {} : { prediction: undefined, predictionError: undefined }),
    }),
  setPrediction: (prediction, predictionError) => set({ prediction, predictionError }),
});
