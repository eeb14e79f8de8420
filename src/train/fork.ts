/** A run that starts from another run's weights. */
import { Failure } from '../base/result.ts';
import { inferShapes, layoutParameters } from '../engine/network.ts';
import { flatten, type ParameterSnapshot, type StateDict } from '../engine/parameters.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { TrainingConfig } from './config.ts';

/** The initial state of a fork: plain data, saved in its checkpoints, since a restart starts from it. */
export interface Fork {
  /** Persistent state. Entries that are missing have their usual initial values. */
  snapshot: ParameterSnapshot;
  /** Steps behind the optimiser's state: 0 if it is initial. */
  steps: number;
}

/**
 * What a run of `config` takes from `parent`: parameters and running statistics, and the optimiser's state if the
 * optimiser is the same.
 * @throws Failure('bad-input') if the models differ
 */
export function forkOf(parent: Checkpoint, config: TrainingConfig): Fork {
  const { snapshot, config: before, step } = parent;
  if (JSON.stringify(before.model.layers) !== JSON.stringify(config.model.layers))
    throw unfitting(before.model.title, config);
  if (before.optimizer === config.optimizer) return { snapshot, steps: step + (before.fork?.steps ?? 0) };
  const names = ['parameters', 'buffers', 'average_parameters', 'average_buffers', 'loss_scaling'];
  const learnt = Object.entries(snapshot).filter(([name]) => names.includes(name));
  return { snapshot: Object.fromEntries(learnt), steps: 0 };
}

/**
 * What a run of `config` takes from weights by name.
 * @throws Failure('bad-input') if they belong to another model
 */
export function forkOfWeights(weights: StateDict, config: TrainingConfig): Fork {
  const { model, dataset } = config;
  const layout = layoutParameters(inferShapes(model.layers, [1, ...dataset.shape]));
  try {
    return { snapshot: flatten(layout, weights), steps: 0 };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw unfitting('another model', config, error);
  }
}

const unfitting = (from: string, { model }: TrainingConfig, cause?: Failure): Failure =>
  new Failure(
    'bad-input',
    `the fork starts from the weights of ${from}, which do not fit ${model.title}${cause ? `: ${cause.message}` : ''}`,
    'Start from random weights, or choose the model that the weights belong to.',
  );
