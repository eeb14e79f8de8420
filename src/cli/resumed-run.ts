import { Failure } from '../base/result.ts';
import { selectImages } from '../data/select.ts';
import { resumedConfig } from '../train/checkpoint.ts';
import type { TrainingConfig } from '../train/config.ts';
import { dataWanted, readNamedDataset } from './datasets.ts';
import { adapterLabel, computeAlike } from '../node/gpu.ts';
import { requireSameData, type SavedRun } from './checkpointing.ts';
import type { TrainOptions } from './new-run.ts';
import { givenSettings } from './settings.ts';

/** The remainder of a saved run; its length and learning rate may differ from the original ones. */
export async function resumedRun(
  saved: SavedRun,
  options: TrainOptions,
  note: (message: string) => void,
): Promise<TrainingConfig> {
  const { config, step } = saved;
  const { epochs, steps, lr = config.lr, ...given } = givenSettings(options);
  if (epochs !== undefined && steps !== undefined) {
    throw new Failure('bad-input', 'expected either --epochs or --steps');
  }
  const wanted = dataWanted({
    'data-dir': options['data-dir'] ?? saved.options?.['data-dir'],
    labels: options.labels ?? saved.options?.labels,
    splits: options.splits ?? saved.options?.splits,
  });
  const trainOnly = saved.options?.['steps'] !== undefined;
  const { dataset: all } = await readNamedDataset(saved.dataset.name, {
    ...wanted,
    trainOnly,
    shape: config.model.input,
    note,
  });
  await requireSameData(saved, all);
  const dataset = await selectImages(all, config);
  const ofEpochs = epochs && Math.ceil((epochs * dataset.train.count) / config.batchSize);
  const lastStep = steps ?? ofEpochs ?? config.lastStep;
  if (lastStep === undefined) throw new Failure('bad-input', 'expected either --epochs or --steps');
  if (lastStep < step) {
    throw new Failure(
      'bad-input',
      `expected at least ${step} steps, which the run to resume has done; found ${lastStep}`,
    );
  }
  note(`Resuming from step ${step}`);
  const here = await adapterLabel(options.engine);
  if (!computeAlike(saved.adapter, here)) {
    note(`The run started on ${saved.adapter}. On ${here}, its losses may differ in the last bits.`);
  }
  if (lr !== config.lr) {
    note(`The learning rate is now ${lr}; it was ${config.lr}.`);
  }
  const { learningRate } = config;
  if (learningRate && learningRate.schedule !== 'constant' && lastStep !== learningRate.steps) {
    note(
      `The schedule still covers ${learningRate.steps} steps; after them, its last learning rate is used.`,
    );
  }
  const length = epochs === undefined && steps === undefined ? {} : { epochs, steps };
  return resumedConfig(saved, dataset, { ...given, ...length, lr, lastStep });
}
