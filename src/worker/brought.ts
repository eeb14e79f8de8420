/** Weights that were brought, for the run that is to begin with them. The last ones only: they are large. */
import type { StateDict } from '../engine/parameters.ts';

export class BroughtWeights {
  private brought: { id: string; weights: StateDict } | undefined;

  bring(id: string, weights: StateDict): void {
    this.brought = { id, weights };
  }

  find(id: string): StateDict | undefined {
    return this.brought?.id === id ? this.brought.weights : undefined;
  }
}
