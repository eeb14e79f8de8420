/** Weights that a run can start from: of the open run, or from a file. */
import { lazily } from '../../base/lazily.ts';
import type { StateDict } from '../../engine/parameters.ts';
import type { Checkpoint } from '../../train/checkpoint.ts';
import type { TrainingConfig } from '../../train/config.ts';
import type { Fork } from '../../train/fork.ts';

const forking = lazily(() => import('../../train/fork.ts'));

/** Holds only the last weights, because they are large. */
export class HeldStart {
  private held: { id: string; fork(config: TrainingConfig): Promise<Fork> } | undefined;

  /** Holds a run's state, including its optimiser's. */
  hold(id: string, checkpoint: Checkpoint): void {
    this.held = { id, fork: async (config) => (await forking()).forkOf(checkpoint, config) };
  }

  /** Holds only weights. */
  bring(id: string, weights: StateDict): void {
    this.held = { id, fork: async (config) => (await forking()).forkOfWeights(weights, config) };
  }

  /** Initial weights for a run of `config`; undefined if others are held. @throws Failure `bad-input` if they do not fit */
  async find(id: string, config: TrainingConfig): Promise<Fork | undefined> {
    return this.held?.id === id ? this.held.fork(config) : undefined;
  }
}
