/** Whether a run fits the GPU's memory, with recomputation if allowed. */
import { lazily } from '../base/lazily.ts';
import { Failure } from '../base/result.ts';
import { memoryNeed, type MemoryNeed } from '../engine/need.ts';
import type { ConvChoices } from '../engine/ops/conv/choice/layers.ts';
import { Trainer, type TrainerOptions } from '../engine/trainer.ts';
import type { Device } from '../gpu/device.ts';
import type { TrainingConfig } from './config.ts';
import { chooseConvolutions, trainerOptions } from './options.ts';

const proposing = lazily(() => import('./proposal.ts'));

/** How a run fits. */
export interface Fit {
  need: MemoryNeed;
  /** See TrainerOptions. */
  activationLimit: number;
  /** Whether something is recomputed. */
  recomputes: boolean;
}

/** The next limit, at most, as a share of what was too much. */
const LESS = 0.9;
/** How often the limit is lowered, because added dispatches need some memory too. */
const TRIES = 3;

/**
 * How a run fits `limit` bytes.
 * @param config the run; see its `recompute`
 * @returns undefined if it does not, or a single tensor is larger than this device allows
 */
export async function fitWithin(
  device: Device,
  config: TrainingConfig,
  limit: number,
  choices: ConvChoices = chooseConvolutions(device, config),
): Promise<Fit | undefined> {
  const { recompute = 'auto' } = config;
  const fitAt = async (activationLimit: number): Promise<Fit> => {
    const need = await memoryNeed(device, { ...trainerOptions(config, choices), activationLimit });
    return { need, activationLimit, recomputes: need.recomputed > 0 };
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

/**
 * Creates a run's trainer within the configuration's limit and the GPU's memory: if memory runs out, the next try has a
 * lower limit.
 * @param start sets the parameters: see TrainerOptions
 * @param onFit receives how it fits, before anything is allocated
 * @throws Failure('out-of-memory') saying what would fit
 */
export async function fittingTrainer(
  device: Device,
  config: TrainingConfig,
  choices: ConvChoices,
  start: NonNullable<TrainerOptions['start']>,
  onFit: (fit: Fit) => void = () => undefined,
): Promise<Trainer> {
  const { ledger } = device;
  const others = ledger.bytes;
  let limit = config.memoryLimit ?? Infinity;
  for (;;) {
    const fit = await fitWithin(device, config, limit, choices);
    if (!fit) {
      const { tooLarge } = await proposing();
      throw await tooLarge(device, config, limit);
    }
    onFit(fit);
    try {
      return await Trainer.create(device, {
        ...trainerOptions(config, choices),
        activationLimit: fit.activationLimit,
        start,
      });
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      limit = Math.min((ledger.tooMuch ?? Infinity) - others - 1, LESS * fit.need.bytes);
    }
  }
}

const isOutOfMemory = (error: unknown): error is Failure =>
  error instanceof Failure && error.code === 'out-of-memory';
