/** Weights that a run can start from: of the open run, or from a file. */
import type { StateDict } from '../../engine/parameters.ts';
import type { Checkpoint } from '../../train/checkpoint.ts';
import type { SessionConfig } from '../../train/config.ts';
import { forkOf, forkOfWeights, type Fork } from '../../train/fork.ts';

/** Holds only the last ones, for the run that starts from them: they are large. */
export class HeldStart {
  private held: { id: string; fork(config: SessionConfig): Fork } | undefined;

  /** Holds what a run has learnt, its optimiser's state included. */
  hold(id: string, checkpoint: Checkpoint): void {
    this.held = { id, fork: (config) => forkOf(checkpoint, config) };
  }

  /** Holds weights alone. */
  bring(id: string, weights: StateDict): void {
    this.held = { id, fork: (config) => forkOfWeights(weights, config) };
  }

  /** Initial weights for a run of `config`; undefined if others are held. @throws Failure `bad-input` if they do not fit */
  find(id: string, config: SessionConfig): Fork | undefined {
    return this.held?.id === id ? this.held.fork(config) : undefined;
  }
}
