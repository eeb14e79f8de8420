/** How fast a run trains: from slow motion over a pace to watch at full speed. */
import { ask } from '../client.ts';
import { chosenDataset } from '../actions/start.ts';
import { runIsOpen } from '../state/run.ts';
import { useApp, type AppState } from '../state/store.ts';

/** Each step is explained while it lasts. */
export const SLOW_MOTION = 0.5;
/** LeNet-5 exceeds 95 % on the synthetic digits in ten seconds. */
export const WATCH = 40;

/** The positions of the slider, in steps per second. */
export const PACES: readonly number[] = [SLOW_MOTION, 1, 2, 5, 10, 20, WATCH, 100, 200, 500, 1000, Infinity];

/** A GPU learns data sets of so many training images before anybody has looked. */
const SMALL = 10_000;

/** The pace of the open run, or of the next one: as chosen; else runs on small data sets can be watched. */
export function paceOf(state: AppState): number {
  if (state.pace !== undefined) return state.pace;
  const name = runIsOpen(state.runState) ? state.runConfig?.dataset : undefined;
  const dataset = state.datasets.find((one) => one.name === name) ?? chosenDataset(state);
  return dataset && dataset.counts.train <= SMALL ? WATCH : Infinity;
}

/** The position of the slider for a pace: the nearest one. */
export const positionOf = (pace: number): number => {
  const next = PACES.findIndex((one) => one >= pace);
  return next < 0 ? PACES.length - 1 : next;
};

/** Passes the pace on to the worker. */
export const sendPace = (): Promise<unknown> => {
  const pace = paceOf(useApp.getState());
  return ask((api) => api.train.setPace(pace));
};

/** Passes every change of the pace on to the worker. Call once. */
export function followPace(): void {
  useApp.subscribe((state, before) => {
    if (paceOf(state) !== paceOf(before)) void sendPace();
  });
}
