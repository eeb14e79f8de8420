/** What the page and the worker say of folding a trained model for answers: types only. */
import type { Result } from '../../base/result.ts';

/** A model's answers to a batch with batch normalisation folded into other layers, and without. */
export interface FoldReport {
  /** Steps that the model was trained for. */
  step: number;
  /** Layers that are part of others when folded. */
  layers: number;
  batchSize: number;
  /** Milliseconds a batch, median. */
  plainMs: number;
  foldedMs: number;
  /** Largest difference of the answers, over the largest answer. */
  difference: number;
}

export interface FoldApi {
  /** Measures the run's model as it is now. A run that trains rests meanwhile, then goes on. */
  foldModel(): Promise<Result<FoldReport>>;
}
