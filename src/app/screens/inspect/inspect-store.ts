/** What the person looks at on the Inspect screen. */
import { create } from 'zustand';
import type { ConvPlace, SampleOrder } from '../../../worker/api.ts';

/** Which test images are looked at. */
export interface SampleFilter {
  mistakesOnly: boolean;
  /** Only those of this class, and only those that were taken for that one. */
  truth: number | undefined;
  answer: number | undefined;
  order: SampleOrder;
}

/** What is looked at of the network. */
export interface LookChoice {
  /** Empty until one was chosen. */
  layer: string;
  channel: number;
  /** Row and column of the channel's map; undefined until one was chosen. */
  pixel: Pick<ConvPlace, 'p' | 'q'> | undefined;
}

interface InspectState {
  sampleFilter: SampleFilter;
  lookChoice: LookChoice;
  setSampleFilter(change: Partial<SampleFilter>): void;
  setLookChoice(change: Partial<LookChoice>): void;
}

export const useInspect = create<InspectState>()((set) => ({
  sampleFilter: { mistakesOnly: true, truth: undefined, answer: undefined, order: 'surest' },
  lookChoice: { layer: '', channel: 0, pixel: undefined },
  setSampleFilter: (change) => set((state) => ({ sampleFilter: { ...state.sampleFilter, ...change } })),
  setLookChoice: (change) => set((state) => ({ lookChoice: { ...state.lookChoice, ...change } })),
}));
