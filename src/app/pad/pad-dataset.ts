import type { DatasetEntry } from '../../worker/api.ts';
import { chosenDataset } from '../actions/start.ts';
import type { AppState } from '../state/store.ts';

/** The data set whose images the pad is to look like: the run's, else the chosen one. */
export const padDataset = (state: AppState): DatasetEntry | undefined =>
  state.datasets.find(({ name }) => name === state.runConfig?.dataset) ?? chosenDataset(state);
