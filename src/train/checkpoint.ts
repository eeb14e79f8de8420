/**
 * All that a run needs to go on to the very bits that it would have had: plain data, so that it can be packed into a
 * file. What is random (parameters at the start, the order of the images, each step's seed) follows from the run's seed
 * and the step alone, and so do the place in the data and the learning rate: the step is all there is of them.
 */
import type { Dataset } from '../data/dataset.ts';
import type { ParameterSnapshot } from '../engine/parameters.ts';
import type { SessionConfig } from './config.ts';
import type { History } from './history.ts';

export interface Checkpoint {
  /** Steps done. */
  step: number;
  epoch: number;
  /** Less the images, and what the parameters started from, which they have left. `choices` is always there. */
  config: Omit<SessionConfig, 'dataset' | 'initial' | 'known' | 'from'>;
  /** What the images are scaled by belongs to the run; the images are found again by name. */
  dataset: Pick<Dataset, 'name' | 'mean' | 'std'>;
  /** Parameters, running statistics, optimiser states, averages: everything that a step changes. */
  snapshot: ParameterSnapshot;
  history: History;
}

/** The configuration without what is too large for a file or means nothing in one. */
export function keptConfig(config: SessionConfig): Checkpoint['config'] {
  const { dataset: _data, initial: _start, known: _known, from: _before, ...rest } = config;
  return rest;
}

/**
 * The configuration that resumes from a checkpoint.
 * @param dataset the one of that name; its images have to be the same, which is for the caller to check
 * @param change what the rest of the run does differently
 */
export const resumedConfig = (
  checkpoint: Checkpoint,
  dataset: Dataset,
  change: Partial<Checkpoint['config']> = {},
): SessionConfig => {
  const { mean, std } = checkpoint.dataset;
  return { ...checkpoint.config, ...change, dataset: { ...dataset, mean, std }, from: checkpoint };
};
