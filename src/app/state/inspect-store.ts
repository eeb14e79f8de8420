/** The selection on the Inspect screen, which other screens lead to. */
import { create } from 'zustand';
import type { ConvPlace, SampleOrder } from '../../worker/api.ts';

/** Which test images the gallery shows. */
export interface SampleFilter {
  mistakesOnly: boolean;
  /** Only those of this true class, and of this predicted class; undefined for any. */
  label: number | undefined;
  prediction: number | undefined;
  order: SampleOrder;
}

/** Which part of the network is shown. */
export interface LookChoice {
  /** Empty until one is selected. */
  layer: string;
  channel: number;
  /** Row and column of the channel's map; undefined until one is selected. */
  pixel: Pick<ConvPlace, 'p' | 'q'> | undefined;
}

interface InspectState {
  sampleFilter: SampleFilter;
  lookChoice: LookChoice;
  setSampleFilter(change: Partial<SampleFilter>): void;
  setLookChoice(change: Partial<LookChoice>): void;
}

export const useInspect = create<InspectState>()((set) => ({
  sampleFilter: { mistakesOnly: true, label: undefined, prediction: undefined, order: 'surest' },
  lookChoice: { layer: '', channel: 0, pixel: undefined },
  setSampleFilter: (change) => set((state) => ({ sampleFilter: { ...state.sampleFilter, ...change } })),
  setLookChoice: (change) => set((state) => ({ lookChoice: { ...state.lookChoice, ...change } })),
}));
