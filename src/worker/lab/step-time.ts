/** How long a training step takes: many in a row on made-up images, submitted as training submits them. */
import type { ConvChoices } from '../../engine/ops/conv/choice/layers.ts';
import { timeSteps, Trial } from '../../engine/profile/trial.ts';
import type { Device } from '../../gpu/device.ts';
import type { Model } from '../../models/model.ts';
import type { Spread } from '../api.ts';
import { spreadWith } from './find-job.ts';

export interface StepCase {
  model: Model;
  batchSize: number;
  optimizer: string;
  choices: ConvChoices;
}

const SAMPLES = 15;

/**
 * Wall clock, milliseconds a step.
 * @param isWanted asked between chunks; once it returns false, the samples so far count
 */
export async function stepTime(
  device: Device,
  { model, ...options }: StepCase,
  isWanted: () => boolean,
): Promise<Spread | undefined> {
  const trial = await Trial.open(device, model, options);
  try {
    const { samples } = await timeSteps(trial, SAMPLES, isWanted);
    return samples.length > 0 ? spreadWith(samples) : undefined;
  } finally {
    trial.destroy();
  }
}
