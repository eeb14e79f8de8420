/** Proposals for a run that does not fit the GPU's memory. */
import { Failure } from '../base/result.ts';
import { memoryNeed } from '../engine/need.ts';
import type { Device } from '../gpu/device.ts';
import type { TrainingConfig } from './config.ts';
import { fitWithin } from './fit.ts';
import { chooseConvolutions, trainerOptions } from './options.ts';

/** What would fit. */
export interface Proposal {
  /** The largest batch; undefined if not even one image fits. */
  batchSize: number | undefined;
  /** Whether the requested batch fits with recomputation. */
  recompute: boolean;
}

/** The largest smaller batch that fits, and whether the requested batch would fit with recomputation. */
export async function proposalFor(device: Device, config: TrainingConfig, limit: number): Promise<Proposal> {
  const { batchSize: wanted, recompute: mode = 'auto' } = config;
  const recompute =
    mode === 'off' && (await fitWithin(device, { ...config, recompute: 'on' }, limit)) !== undefined;
  // Only whether it fits matters here, which maximal recomputation decides fastest.
  const cheapest = mode === 'off' ? 'off' : 'on';
  const bytesAt = async (batchSize: number): Promise<number> => {
    const fit = await fitWithin(device, { ...rest, batchSize, recompute: cheapest }, Infinity);
    return fit?.need.bytes ?? NaN;
  };
  // The choices of the requested batch do not apply to another.
  const { choices: _, ...rest } = config;
  // Memory grows almost linearly with the batch: the next guess is where the line meets the limit, or the middle if the
  // last guess was poor.
  let low = { batchSize: 0, bytes: 0 };
  let high = { batchSize: wanted, bytes: NaN };
  let good = true;
  for (let span = wanted; span > 1;) {
    const slope = (high.bytes - low.bytes) / span;
    const line = good && low.batchSize > 0 && slope > 0 ? (limit - low.bytes) / slope : span / 2;
    const batchSize = low.batchSize + Math.min(span - 1, Math.max(1, Math.floor(line)));
    const bytes = await bytesAt(batchSize);
    if (bytes <= limit) low = { batchSize, bytes };
    else high = { batchSize, bytes };
    const left = high.batchSize - low.batchSize;
    good = left <= span / 2;
    span = left;
  }
  return { batchSize: low.batchSize || undefined, recompute };
}

/** The failure of a run that does not fit `limit` bytes, with what would fit. */
export async function tooLarge(device: Device, config: TrainingConfig, limit: number): Promise<Failure> {
  const { model, batchSize } = config;
  const { choices: _, ...plain } = config;
  const needs = await needText(device, plain, limit);
  const found = await proposalFor(device, config, limit);
  const fits = [
    ...(found.batchSize === undefined ? [] : [`${found.batchSize}`]),
    ...(found.recompute ? [`${batchSize} with recomputation`] : []),
  ];
  return new Failure(
    'out-of-memory',
    `${model.title} with batch ${batchSize} ${needs}`,
    fits.length > 0
      ? `The largest batch size that fits is ${fits.join(', or ')}.`
      : 'Choose a smaller model.',
  );
}

/** What a run needs at least, and what there is; or the first tensor or buffer that is larger than this device allows. */
async function needText(device: Device, config: TrainingConfig, limit: number): Promise<string> {
  const isOff = config.recompute === 'off';
  const options = trainerOptions(config, chooseConvolutions(device, config));
  try {
    const { bytes } = await memoryNeed(device, { ...options, activationLimit: isOff ? Infinity : 0 });
    return `needs ${memoryText(bytes)} of memory${isOff ? '' : ', with recomputation'}, but only ${memoryText(limit)} is available`;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'out-of-memory') throw error;
    return `does not fit: ${error.message}`;
  }
}

/** "206.5 MiB", "4.6 GiB". */
export const memoryText = (bytes: number): string =>
  bytes < 2 ** 30 ? `${(bytes / 2 ** 20).toFixed(1)} MiB` : `${(bytes / 2 ** 30).toFixed(1)} GiB`;
