import type { DatasetEntry } from '../../worker/api.ts';
import { chosenDataset } from '../actions/start.ts';
import { startOfNext } from './next-run.ts';
import type { AppState } from '../state/store.ts';

/** The data set whose images the pad is to look like: that of the network which answers. */
export const padDataset = (state: AppState): DatasetEntry | undefined =>
  (startOfNext(state) === undefined
    ? state.datasets.find(({ name }) => name === state.runConfig?.dataset)
    : undefined) ?? chosenDataset(state);
