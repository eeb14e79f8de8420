import type { ConvDirection, ConvPin, ConvUse } from '../../worker/api.ts';
import type { Slice } from './slice.ts';

/** How the convolutions of a run are computed, by layer and direction. */
export type RunChoices = Readonly<Record<string, Partial<Record<ConvDirection, ConvUse>>>>;

export interface AlgorithmsSlice {
  /** Convolutions whose algorithm is set by hand, for the runs that begin from now on, by model. */
  pins: Readonly<Record<string, readonly ConvPin[]>>;
  /** What the current run, or the last one, uses. */
  choices: RunChoices | undefined;
  setPins(model: string, pins: readonly ConvPin[]): void;
}

export const algorithmsSlice: Slice<AlgorithmsSlice> = (set) => ({
  pins: {},
  choices: undefined,
  setPins: (model, pins) => set((state) => ({ pins: { ...state.pins, [model]: pins } })),
});
