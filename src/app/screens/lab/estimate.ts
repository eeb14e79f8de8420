/** How long measurements will take, judged by those before. */
import { create } from 'zustand';
import * as format from '../../format.ts';
import { isSlow } from '../../state/device.ts';
import { recall, remember } from '../../state/remember.ts';
import { useApp, type AppState } from '../../state/store.ts';
import { isRunning, progressOf, type Batch } from './batch.ts';
import type { LabView } from './lab-store.ts';

/** Seconds per search, before any was measured here: most of it goes into compiling. */
const FIRST_GUESS = { gpu: 2, slow: 15 };
/** The weight of the newest search in the mean: a machine that others keep busy is noticed within a few. */
const NEWEST = 0.5;

type Known = Readonly<Record<string, number>>;

function stored(): Known {
  try {
    return (JSON.parse(recall('lab-seconds') ?? '{}') ?? {}) as Known;
  } catch {
    return {};
  }
}

/** Mean seconds per search, by adapter and view. Saved for the next visit. */
const useSeconds = create<Known>()(() => stored());

const keyOf = (adapter: AppState['adapter'], view: LabView): string => `${adapter?.description} ${view}`;

/** Notes how long a search took. */
export function learn(view: LabView, seconds: number): void {
  const key = keyOf(useApp.getState().adapter, view);
  const known = useSeconds.getState()[key];
  useSeconds.setState({ [key]: known === undefined ? seconds : known + NEWEST * (seconds - known) });
  remember('lab-seconds', JSON.stringify(useSeconds.getState()));
}

/** "about 6.8 min" for this many searches in a view. */
export function useEstimate(view: LabView, count: number): string {
  const guess = useApp((state) => (isSlow(state) ? FIRST_GUESS.slow : FIRST_GUESS.gpu));
  const key = useApp((state) => keyOf(state.adapter, view));
  const seconds = useSeconds((known) => known[key]) ?? guess;
  return `about ${format.seconds(Math.max(1, Math.round(seconds * count)))}`;
}

/**
 * The progress of a view's measurements with the time that is left, or how long they will take.
 * @param unit what one measurement is of: "layer"
 */
export function useProgress(view: LabView, batch: Batch | undefined, count: number, unit: string): string {
  const { done, total } = progressOf(batch);
  const running = isRunning(batch);
  const left = useEstimate(view, running ? Math.max(total - done, 1) : count);
  const units = total === 1 ? unit : `${unit}s`;
  if (running) return total === 0 ? 'Preparing…' : `Measuring: ${done} of ${total} ${units}, ${left} left.`;
  if (batch?.state === 'cancelled') return `Stopped after ${done} of ${total} ${units}.`;
  if (batch?.state === 'done') return `Done: ${done} of ${total} ${units}.`;
  return `${count} ${count === 1 ? `${unit} takes` : `${unit}s take`} ${left}.`;
}
