/** The time of a training step: many in a row on synthetic images, submitted as in training. */
import type { ConvChoices } from '../../engine/ops/conv/choice/layers.ts';
import { timeSteps, Trial } from '../../engine/profile/trial.ts';
import type { Device } from '../../gpu/device.ts';
import type { Model } from '../../models/model.ts';
import type { SampleSpread } from '../api.ts';
import { spreadWith } from './find-job.ts';

export interface TimedStep {
  model: Model;
  batchSize: number;
  optimizer: string;
  choices: ConvChoices;
}

const SAMPLES = 15;

/**
 * Wall-clock milliseconds per step.
 * @param shouldContinue called between chunks; once it returns false, returns the samples so far
 */
export async function stepTime(
  device: Device,
  { model, ...options }: TimedStep,
  shouldContinue: () => boolean,
): Promise<SampleSpread | undefined> {
  const trial = await Trial.open(device, model, options);
  try {
    const { samples } = await timeSteps(trial, SAMPLES, shouldContinue);
    return samples.length > 0 ? spreadWith(samples) : undefined;
  } finally {
    trial.destroy();
  }
}
