/** Which learning rate makes a network learn that does not: three are tried for a few steps each, from the same state. */
import type { Trainer, TrainStep } from '../engine/trainer.ts';
import { defaultOf } from '../run/settings/rules.ts';
import type { OptimizerName } from '../run/settings/table.ts';
import { meanOf } from './learning-watch.ts';

/** Steps of a try. */
export const TRY_STEPS = 20;
/** Steps that are submitted together. */
const TOGETHER = 4;
/** The last ones decide. */
export const JUDGED = 10;
/** A rate that is further than this factor from the optimiser's usual one is not the place to look around. */
const FAR = 30;
/** A network below this share of guessing has learnt something: to keep it is enough. */
const LEARNT = 0.9;
/** A difference this many times its standard error is no accident. */
const SURE = 2;

/** A learning rate, and what became of the loss. */
export interface RateTry {
  lr: number;
  /** Of each step, before its update; shorter if one was not finite, which is the last. */
  losses: number[];
  /** The mean loss of the last steps; NaN or infinite if one of them was. */
  loss: number;
  /** Whether the loss is lower than that of the same images without learning, beyond doubt. */
  helps: boolean;
}

export interface RateTries {
  /** See `guessingLoss`. */
  guessing: number;
  /** The mean loss on the same images without learning. */
  before: number;
  tries: RateTry[];
  /** The one with the lowest loss of those that help; undefined if none does. */
  best: RateTry | undefined;
}

/**
 * Three rates to try instead of `lr`: lower ones, or around the optimiser's usual one if `lr` is far from it.
 * @param isSlow the loss falls, but slowly: higher ones instead of lower ones
 */
export function ratesToTry(lr: number, optimizer: OptimizerName, isSlow = false): number[] {
  const usual = defaultOf('lr', optimizer);
  const isFar = lr > FAR * usual || lr < usual / FAR;
  const near = isSlow ? [10 * lr, 3 * lr, lr / 3] : [lr / 3, lr / 10, lr / 100];
  const rates = isFar ? [3 * usual, usual, usual / 10] : near;
  return rates.map((rate) => Number(rate.toPrecision(2)));
}

/**
 * Tries each rate for TRY_STEPS steps. The trainer is left in any state.
 * @param reset sets the trainer to the state from which all start
 * @param stepsAt the steps at a learning rate: the same images and random numbers at each; 0 changes no weight
 * @param guessing see `guessingLoss`
 */
export async function tryRates(
  trainer: Trainer,
  rates: readonly number[],
  guessing: number,
  reset: () => Promise<void>,
  stepsAt: (lr: number) => TrainStep[],
): Promise<RateTries> {
  const lossesAt = async (lr: number): Promise<number[]> => {
    await reset();
    const steps = stepsAt(lr);
    const losses: number[] = [];
    while (losses.length < steps.length && losses.every(Number.isFinite)) {
      const next = steps.slice(losses.length, losses.length + TOGETHER);
      trainer.submit(next);
      for (const { loss } of await trainer.readMetrics(next.length)) losses.push(loss);
    }
    const bad = losses.findIndex((loss) => !Number.isFinite(loss));
    return bad < 0 ? losses : losses.slice(0, bad + 1);
  };
  const still = (await lossesAt(0)).slice(-JUDGED);
  const before = meanOf(still);
  const tries: RateTry[] = [];
  for (const lr of rates) {
    const losses = await lossesAt(lr);
    const last = losses.slice(-JUDGED);
    tries.push({ lr, losses, loss: meanOf(last), helps: helps(last, still, guessing) });
  }
  const [best] = tries.filter((one) => one.helps).toSorted((a, b) => a.loss - b.loss);
  return { guessing, before, tries, best };
}

/** Pairs of losses on the same images: batches differ by more than a few steps change. */
function helps(losses: readonly number[], still: readonly number[], guessing: number): boolean {
  if (losses.length < JUDGED || !losses.every(Number.isFinite)) return false;
  const changes = losses.map((loss, i) => loss - still[i]);
  const change = meanOf(changes);
  const variance = meanOf(changes.map((one) => (one - change) ** 2)) / (changes.length - 1);
  const error = SURE * Math.sqrt(variance);
  return meanOf(still) < LEARNT * guessing ? change < error : change < -error;
}
