/** A run that begins with what another one has learnt. */
import { Failure } from '../base/result.ts';
import { optimizers } from '../engine/optimizers/registry.ts';
import type { ParameterSnapshot } from '../engine/parameters.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { SessionConfig } from './config.ts';

/** What a fork begins with. */
export interface Fork {
  /** Everything that a step changes. */
  snapshot: ParameterSnapshot;
  /** Steps that the optimiser's state comes from: 0 where it is fresh. */
  steps: number;
}

/**
 * What a run of `config` takes from `parent`: parameters and running statistics, and the optimiser's state too unless
 * the optimiser is another one.
 * @throws Failure('bad-input') if the models differ
 */
export function forkOf(parent: Checkpoint, config: SessionConfig): Fork {
  const { snapshot, config: before, step } = parent;
  if (JSON.stringify(before.model.layers) !== JSON.stringify(config.model.layers)) {
    throw new Failure(
      'bad-input',
      `a fork goes on with the weights of ${before.model.title}, which do not fit ${config.model.title} here`,
      'Restart with the other model, or keep this one.',
    );
  }
  const { parameters, buffers, loss_scaling: scaling } = snapshot;
  const same = before.optimizer === config.optimizer;
  const states = optimizers
    .get(config.optimizer)
    .states.map((name) => [name, same ? snapshot[name] : new Float32Array(parameters.length)]);
  return {
    snapshot: {
      parameters,
      ...(buffers ? { buffers } : {}),
      ...(Object.fromEntries(states) as ParameterSnapshot),
      // Averages that were not kept so far begin with what they are of.
      ...(config.ema === undefined
        ? {}
        : {
            average_parameters: snapshot['average_parameters'] ?? parameters,
            ...(buffers ? { average_buffers: snapshot['average_buffers'] ?? buffers } : {}),
          }),
      ...(config.mixed ? { loss_scaling: scaling ?? Float32Array.of(config.mixed.scaling.initial, 0) } : {}),
    },
    steps: same ? step + (before.fork?.steps ?? 0) : 0,
  };
}
