/** Measures a run's training step for the page. */
import { profileStep, type ProfileProgress } from '../../engine/profile/step.ts';
import { timelineOf } from '../../engine/profile/timeline.ts';
import { stepTrace } from '../../engine/profile/trace.ts';
import type { Device } from '../../gpu/device.ts';
import type { TrainingConfig } from '../../train/config.ts';
import { choicesFor } from '../../train/options.ts';
import type { ProfileReport } from '../api.ts';

/**
 * @param config with the run's choices, if made; otherwise tuning results or predictions apply
 * @param report receives progress; returning false cancels
 */
export async function profileRun(
  device: Device,
  config: TrainingConfig,
  report: (progress: ProfileProgress) => boolean,
): Promise<ProfileReport> {
  const { model, batchSize, optimizer, mixed } = config;
  const { choices } = choicesFor(device, config);
  const profile = await profileStep(device, model, { batchSize, optimizer, choices, mixed }, report);
  const title = `${model.title}, batch ${batchSize}, ${device.adapter.description}`;
  return { ...profile, spans: timelineOf(profile), trace: stepTrace(title, profile) };
}
