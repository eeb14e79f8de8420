import { lazily } from '../base/lazily.ts';
import type { ParameterStore } from '../engine/parameters.ts';
import type { TrainingConfig } from './config.ts';

// Few runs whiten: the page starts without it.
const whitening = lazily(() => import('./whitening.ts'));

/** Sets a network's parameters as a run begins: to given ones, or to random ones of its seed. */
export async function setInitial(
  parameters: ParameterStore,
  {
    initial,
    seed,
    model,
    dataset,
    whiten,
    weightsInit = model.weightsInit,
  }: Pick<TrainingConfig, 'initial' | 'seed' | 'model' | 'dataset' | 'whiten' | 'weightsInit'>,
): Promise<void> {
  if (initial) parameters.load(initial);
  else if (!whiten) parameters.initialize(seed, weightsInit);
  else {
    const { whiteningFilters } = await whitening();
    parameters.initialize(seed, weightsInit, whiteningFilters(model, dataset));
  }
}

/** Sets a network to step 0 of a run: as it starts from another one, or as `setInitial` does. */
export async function setStart(
  parameters: ParameterStore,
  config: Parameters<typeof setInitial>[1] & Pick<TrainingConfig, 'fork'>,
): Promise<void> {
  if (config.fork) parameters.reset(config.fork.snapshot);
  else await setInitial(parameters, config);
}
