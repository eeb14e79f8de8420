import type { ParameterStore } from '../engine/parameters.ts';
import type { TrainingConfig } from './config.ts';
import { whiteningFilters } from './whitening.ts';

/** Sets a network's parameters as a run begins: to given ones, or to random ones of its seed. */
export function setInitial(
  parameters: ParameterStore,
  {
    initial,
    seed,
    model,
    dataset,
    whiten,
    weightsInit = model.weightsInit,
  }: Pick<TrainingConfig, 'initial' | 'seed' | 'model' | 'dataset' | 'whiten' | 'weightsInit'>,
): void {
  if (initial) parameters.load(initial);
  else parameters.initialize(seed, weightsInit, whiten ? whiteningFilters(model, dataset) : undefined);
}
