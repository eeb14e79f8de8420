import { SETTINGS } from '../../run/settings/table.ts';
import * as format from '../format.ts';
import { useApp } from '../state/store.ts';
import { configToMeasure, modelTitle } from '../measured-run.ts';

/**
 * The model and settings that Profile measures or the Doctor checks, in words; empty while a setting is invalid.
 * @param data the data set and the learning rate matter too
 */
export const useSubject = ({ data }: { data: boolean }): string =>
  useApp((state) => {
    const config = configToMeasure(state);
    if (!config) return '';
    const { batchSize, optimizer, lr, dataset } = config;
    const model = modelTitle(state, config);
    const batches = `batches of ${format.count(batchSize)}`;
    const method = SETTINGS.optimizer.choices[optimizer];
    if (!data) return [model, batches, method].join(' · ');
    const images = state.datasets.find(({ name }) => name === dataset)?.title ?? dataset;
    return [model, images, batches, method, `learning rate ${lr}`].join(' · ');
  });
