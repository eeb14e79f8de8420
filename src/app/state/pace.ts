import type { Speed } from '../../worker/api.ts';
import { recall, remember } from './remember.ts';
import type { Slice } from './slice.ts';

export interface PaceSlice {
  /** Steps per second at most, Infinity for full speed; undefined until one was chosen. See ../pace/pace.ts. */
  pace: number | undefined;
  /** How fast the current run, or the last one, would train without a limit. */
  fullSpeed: Speed | undefined;
  setPace(pace: number): void;
}

const FULL = 'full';

function savedPace(): number | undefined {
  const text = recall('pace');
  if (text === FULL) return Infinity;
  const pace = Number(text);
  return pace > 0 ? pace : undefined;
}

export const paceSlice: Slice<PaceSlice> = (set) => ({
  pace: savedPace(),
  fullSpeed: undefined,
  setPace: (pace) => {
    remember('pace', pace === Infinity ? FULL : String(pace));
    set({ pace });
  },
});
