/**
 * Everything that a run needs to resume to the same bits: plain data that can be packed into a file. All random choices
 * (initial weights, the order of the images, each step's seed) follow from the run's seed and the step, and so do the
 * place in the data and the learning rate: only the step is saved for them.
 */
import type { Dataset } from '../data/dataset.ts';
import type { ParameterSnapshot } from '../engine/parameters.ts';
import type { TrainingConfig } from './config.ts';
import type { History } from './history.ts';

export interface Checkpoint {
  /** Steps done. */
  step: number;
  epoch: number;
  /** Without the images, and without initial weights, which are no longer needed. `choices` is always present. */
  config: Omit<TrainingConfig, 'dataset' | 'initial' | 'known' | 'from'>;
  /** The normalisation belongs to the run; the images are found again by name. */
  dataset: Pick<Dataset, 'name' | 'mean' | 'std' | 'classes' | 'ground'>;
  /** The persistent state: parameters, running statistics, optimiser states, averages. */
  snapshot: ParameterSnapshot;
  history: History;
}

/** The configuration without what is too large for a file or meaningless in one. */
export function storedConfig(config: TrainingConfig): Checkpoint['config'] {
  const { dataset: _data, initial: _start, known: _known, from: _before, ...rest } = config;
  return rest;
}

/**
 * The configuration that resumes from a checkpoint.
 * @param dataset the one of that name, with the run's selection of images (data/select.ts); the caller must check that its
 *   images are the same
 * @param change settings that change for the rest of the run
 */
export const resumedConfig = (
  checkpoint: Checkpoint,
  dataset: Dataset,
  change: Partial<Checkpoint['config']> = {},
): TrainingConfig => {
  const { mean, std } = checkpoint.dataset;
  return { ...checkpoint.config, ...change, dataset: { ...dataset, mean, std }, from: checkpoint };
};
