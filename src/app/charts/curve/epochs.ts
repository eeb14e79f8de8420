import type { AppState } from '../../state/store.ts';

/** How many steps the run's images are in; it need not be whole. */
export function stepsPerEpochOf({ datasets, runConfig }: AppState): number {
  const images = datasets.find(({ name }) => name === runConfig?.dataset)?.counts.train;
  return images && runConfig ? images / runConfig.batchSize : 1;
}
