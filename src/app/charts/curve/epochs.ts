import { trainImagesOf } from '../../state/data.ts';
import type { AppState } from '../../state/store.ts';

/** Steps per epoch of the run; need not be whole. */
export function stepsPerEpochOf({ datasets, runConfig }: AppState): number {
  const images = trainImagesOf({ datasets }, runConfig);
  return images && runConfig ? images / runConfig.batchSize : 1;
}
