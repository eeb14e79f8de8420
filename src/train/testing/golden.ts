/** PyTorch's reference runs, for tests: the data, the initial weights, and the expected losses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDataset } from '../../cli/data.ts';
import type { DatasetInfo } from '../../data/dataset.ts';
import { readSafetensors } from '../../data/formats/safetensors.ts';
import type { Model } from '../../models/model.ts';
import { completed } from '../../run/settings/rules.ts';
import type { TrainingConfig } from '../config.ts';

export interface GoldenResults {
  batch_size: number;
  steps: number;
  optimizer: { lr: number; momentum: number; weight_decay?: number; nesterov?: boolean };
  normalize: { mean: number[]; std: number[] };
  loss_f64: number[];
  eval_loss_f64: number;
  eval_acc_f64: number;
}

/**
 * @param folder with init.safetensors, expected.json and the training data
 * @param most steps, if the whole run would take too long
 */
export async function goldenRun(
  model: Model,
  info: DatasetInfo,
  folder: string,
  most = Infinity,
): Promise<{ expected: GoldenResults; config: TrainingConfig & { lastStep: number } }> {
  const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as GoldenResults;
  const dataset = await readDataset(info, { dataDir: folder, trainOnly: true });
  const { lr, momentum, weight_decay: weightDecay = 0, nesterov = false } = expected.optimizer;
  const config: TrainingConfig & { lastStep: number } = {
    ...completed({ optimizer: 'sgd', lr, momentum, weightDecay, nesterov }),
    model,
    dataset: { ...dataset, ...expected.normalize },
    batchSize: expected.batch_size,
    shuffle: false,
    lastStep: Math.min(most, expected.steps),
    initial: readSafetensors('init', readFileSync(join(folder, 'init.safetensors'))).tensors,
  };
  return { expected, config };
}
