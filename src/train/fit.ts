/** Whether a run fits the GPU's memory, with recomputation where that is wanted, and what would fit if it does not. */
import { Failure } from '../base/result.ts';
import { memoryNeed, type MemoryNeed } from '../engine/need.ts';
import type { ConvChoices } from '../engine/ops/conv/choice/layers.ts';
import { Trainer } from '../engine/trainer.ts';
import type { Device } from '../gpu/device.ts';
import type { SessionConfig } from './config.ts';
import { chooseConvolutions, trainerOptions } from './options.ts';

/** How a run fits. */
export interface Fit {
  need: MemoryNeed;
  /** See TrainerOptions. */
  activationLimit: number;
  /** Whether something is computed again. */
  recomputes: boolean;
}

/** What would fit in place of what does not. */
export interface Proposal {
  /** The largest batch; undefined if not even one image fits. */
  batchSize: number | undefined;
  /** Whether the wanted batch fits with recomputation. */
  recompute: boolean;
}

/** How much of what was too much is tried next, at most. */
const LESS = 0.9;
/** How often a limit is set again, because dispatches that are added need some memory too. */
const TRIES = 3;

/**
 * How a run fits `limit` bytes.
 * @param config the run; `recompute` says what may be done
 * @returns undefined if it does not, or a single tensor is larger than this GPU allows
 */
export async function fitWithin(
  device: Device,
  config: SessionConfig,
  limit: number,
  choices: ConvChoices = chooseConvolutions(device, config),
): Promise<Fit | undefined> {
  const { recompute = 'auto' } = config;
  const fitAt = async (activationLimit: number): Promise<Fit> => {
    const need = await memoryNeed(device, { ...trainerOptions(config, choices), activationLimit });
    return { need, activationLimit, recomputes: need.again > 0 };
  };
  try {
    let fit = await fitAt(recompute === 'on' ? 0 : Infinity);
    const tries = recompute === 'auto' ? TRIES : 0;
    for (let i = 0; i < tries && fit.need.bytes > limit; i++) {
      const { bytes, kinds } = fit.need;
      const room = Math.min(fit.activationLimit, kinds.activations) - (bytes - limit);
      if (room <= 0) return undefined;
      fit = await fitAt(room);
    }
    return fit.need.bytes <= limit ? fit : undefined;
  } catch (error) {
    if (isOutOfMemory(error)) return undefined;
    throw error;
  }
}

/** The largest batch below the wanted one that fits, and whether recomputation would make the wanted one fit. */
export async function proposalFor(device: Device, config: SessionConfig, limit: number): Promise<Proposal> {
  const { batchSize: wanted, recompute: mode = 'auto' } = config;
  const recompute =
    mode === 'off' && (await fitWithin(device, { ...config, recompute: 'on' }, limit)) !== undefined;
  // Whether it fits at all is enough here, and told sooner where as much as can be is computed again.
  const cheapest = mode === 'off' ? 'off' : 'on';
  const bytesAt = async (batchSize: number): Promise<number> => {
    const fit = await fitWithin(device, { ...rest, batchSize, recompute: cheapest }, Infinity);
    return fit?.need.bytes ?? NaN;
  };
  // The choices of the wanted batch are not those of another.
  const { choices: _, ...rest } = config;
  // Memory grows with the batch nearly in a line: the next guess is where it meets the limit, or the middle where the
  // last guess was not good.
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

/**
 * A run's trainer, made so that it fits the configuration's limit, and the GPU: where memory runs out all the same, the
 * next try has a limit below what was too much.
 * @param told receives how it fits, before anything is allocated
 * @throws Failure('out-of-memory') saying what would fit
 */
export async function fittingTrainer(
  device: Device,
  config: SessionConfig,
  choices: ConvChoices,
  told: (fit: Fit) => void = () => undefined,
): Promise<Trainer> {
  const { ledger } = device;
  const others = ledger.bytes;
  let limit = config.memoryLimit ?? Infinity;
  for (;;) {
    const fit = await fitWithin(device, config, limit, choices);
    if (!fit) throw await tooLarge(device, config, limit);
    told(fit);
    try {
      return await Trainer.create(device, {
        ...trainerOptions(config, choices),
        activationLimit: fit.activationLimit,
      });
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      limit = Math.min((ledger.tooMuch ?? Infinity) - others - 1, LESS * fit.need.bytes);
    }
  }
}

async function tooLarge(device: Device, config: SessionConfig, limit: number): Promise<Failure> {
  const { model, batchSize, recompute = 'auto' } = config;
  const { choices: _, ...plain } = config;
  const as = recompute === 'off' ? '' : ', with recomputation';
  const least = await fitWithin(
    device,
    { ...plain, recompute: recompute === 'off' ? 'off' : 'on' },
    Infinity,
  );
  const needs = least
    ? `needs ${memoryText(least.need.bytes)} of GPU memory${as}; there are ${memoryText(limit)}`
    : 'needs tensors larger than this GPU allows';
  const found = await proposalFor(device, config, limit);
  const fits = [
    ...(found.batchSize === undefined ? [] : [`${found.batchSize}`]),
    ...(found.recompute ? [`${batchSize} with recomputation`] : []),
  ];
  return new Failure(
    'out-of-memory',
    `${model.title} with batch ${batchSize} ${needs}`,
    fits.length > 0 ? `The largest batch that fits is ${fits.join(', or ')}.` : 'Take a smaller model.',
  );
}

const isOutOfMemory = (error: unknown): error is Failure =>
  error instanceof Failure && error.code === 'out-of-memory';

/** "216.6 MB", "4.9 GB". */
export const memoryText = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
