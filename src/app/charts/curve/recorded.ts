import type { AppState } from '../../state/store.ts';

/** Whether the recorded run is like the one that the settings describe: what others will look like, it does not show. */
export const isLikeRecorded = ({ settings: { model, dataset } }: AppState): boolean =>
  model === 'lenet5' && (dataset === 'digits' || dataset === 'mnist');
