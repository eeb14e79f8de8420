import { tryFolding } from '../../engine/fold-trial.ts';
import type { TrainingRun } from '../../train/run.ts';
import type { FoldReport } from '../api.ts';

/** Measures how much faster a run's current model predicts with batch norm folded. */
export const foldReport = (run: TrainingRun): Promise<FoldReport> =>
  run.ask(async ({ device, parameters, readback, options: { layers, input } }) => {
    const { steps: step } = run;
    // Enough images to keep a GPU busy, and enough samples; a software adapter needs few.
    const [batchSize, samples] = device.onProcessor ? [4, 5] : [64, 20];
    const network = {
      layers,
      input: [batchSize, ...input],
      parameters: await parameters.stateDict(readback),
    };
    const { folded, plain, foldedNetwork, difference } = await tryFolding(device, network, samples);
    return {
      step,
      layers: folded.length,
      batchSize,
      difference,
      plainMs: plain.median,
      foldedMs: foldedNetwork.median,
    };
  });
