/** A run that starts from trained weights: of another run, or of a file. */
import type { Dataset } from '../data/dataset.ts';
import { inferShapes, layoutParameters } from '../engine/network.ts';
import { flatten, stateDictOf, type ParameterSnapshot, type StateDict } from '../engine/parameters.ts';
import type { Normalisation } from '../engine/samples.ts';
import { matchWeights, type MatchRow } from '../models/file/match.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { TrainingConfig } from './config.ts';

/** The initial state of a fork: plain data, saved in its checkpoints, since a restart starts from it. */
export interface Fork {
  /** Persistent state. Entries that are missing have their usual initial values. */
  snapshot: ParameterSnapshot;
  /** Steps behind the optimiser's state: 0 if it is initial. */
  steps: number;
}

/** What a run takes from trained weights. */
export interface Beginning {
  fork: Fork;
  /** Of the images that the weights were trained on, if known: the run's images are normalised alike. */
  normalisation?: Normalisation | undefined;
  /** Each tensor, and whether it was taken. Empty if the whole state was. */
  rows: readonly MatchRow[];
}

/** Weights without an optimiser's state. */
export interface InitialWeights {
  /** For messages. */
  name: string;
  parameters: StateDict;
  normalisation?: Normalisation | undefined;
}

/**
 * What a run of `config` takes from `parent`: parameters and running statistics, and the optimiser's state if the model
 * and the optimiser are the same. Another model takes the tensors that fit, such as all but those of a new last layer.
 * @throws Failure('bad-input') if the models differ in most parameters
 */
export function forkOf(parent: Checkpoint, config: TrainingConfig): Beginning {
  const { snapshot, config: before, step, dataset: normalisation } = parent;
  if (JSON.stringify(before.model.layers) !== JSON.stringify(config.model.layers)) {
    const { title: name, layers, input } = before.model;
    const layout = layoutParameters(inferShapes(layers, [1, ...input]));
    return forkOfWeights({ name, parameters: stateDictOf(layout, snapshot), normalisation }, config);
  }
  if (before.optimizer === config.optimizer)
    return { fork: { snapshot, steps: step + (before.fork?.steps ?? 0) }, normalisation, rows: [] };
  const names = ['parameters', 'buffers', 'average_parameters', 'average_buffers', 'loss_scaling'];
  const learnt = Object.entries(snapshot).filter(([name]) => names.includes(name));
  return { fork: { snapshot: Object.fromEntries(learnt), steps: 0 }, normalisation, rows: [] };
}

/**
 * What a run of `config` takes from weights by name.
 * @throws Failure('bad-input') if they fit few of the model's parameters
 */
export function forkOfWeights(
  { name, parameters: weights, normalisation }: InitialWeights,
  config: TrainingConfig,
): Beginning {
  const { model } = config;
  const what = `the run starts from the weights of ${name}`;
  const { rows, parameters } = matchWeights(what, model, weights, config);
  const layout = layoutParameters(inferShapes(model.layers, [1, ...model.input]));
  return { fork: { snapshot: flatten(layout, parameters), steps: 0 }, normalisation, rows };
}

/** The configuration of a run that begins so. */
export const begun = <C extends TrainingConfig>(config: C, { fork, normalisation }: Beginning): C => ({
  ...config,
  fork,
  dataset: normalisedAs(config.dataset, normalisation),
});

/** The data set with the normalisation of the weights' training, unless its images have other channels. */
export const normalisedAs = (dataset: Dataset, normalisation: Normalisation | undefined): Dataset =>
  normalisation?.mean.length === dataset.mean.length
    ? { ...dataset, mean: normalisation.mean, std: normalisation.std }
    : dataset;
