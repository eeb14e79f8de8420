import { Failure } from '../base/result.ts';
import { selectImages } from '../data/select.ts';
import { resumedConfig } from '../train/checkpoint.ts';
import { settingsAt, withAdjustment } from '../run/settings/adjustments.ts';
import { agree } from '../run/settings/rules.ts';
import { LIVE_KEYS } from '../run/settings/table.ts';
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
  const given = givenSettings(options);
  const { epochs, steps } = given;
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
  const before = settingsAt(config, config.adjustments, step);
  const { lr = before.lr } = given;
  if (lr !== before.lr) note(`The learning rate is now ${lr}; it was ${before.lr}.`);
  const { learningRate } = config;
  if (learningRate && learningRate.schedule !== 'constant' && lastStep !== learningRate.steps) {
    note(
      `The schedule still covers ${learningRate.steps} steps; after them, its last learning rate is used.`,
    );
  }
  const asked = epochs === undefined && steps === undefined ? given : { ...given, epochs, steps };
  const [changes, others] = [true, false].map((isLive) =>
    Object.fromEntries(
      Object.entries(asked).filter(([key]) => LIVE_KEYS.some((one) => one === key) === isLive),
    ),
  );
  const differs = LIVE_KEYS.some((key) => key in changes && !agree(key, before, { ...before, ...changes }));
  const { adjustments = [] } = config;
  return resumedConfig(saved, dataset, {
    ...others,
    lastStep,
    adjustments: differs ? withAdjustment(adjustments, step, changes) : adjustments,
  });
}
