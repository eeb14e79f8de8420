/** The pad: its image, and the model's answer for it. */
import { create } from 'zustand';
import type { FailureValue } from '../../base/result.ts';
import type { Shape } from '../../base/shape.ts';
import type { Prediction } from '../../worker/api.ts';

interface PadState {
  /** The pad's image as it enters the network, C x H x W bytes; undefined while the pad is blank. */
  image: Uint8Array | undefined;
  /** [C, H, W] of the image. */
  shape: Shape;
  /** Whether the image was drawn on the pad or came from elsewhere. */
  source: 'drawing' | 'sample';
  /** Where a ready image comes from, for people: "Test image 12, a 7". */
  origin: string | undefined;
  /** The model's latest prediction for it. */
  prediction: Prediction | undefined;
  error: FailureValue | undefined;
}

export const usePad = create<PadState>()(() => ({
  image: undefined,
  shape: [1, 28, 28],
  source: 'drawing',
  origin: undefined,
  prediction: undefined,
  error: undefined,
}));
