import { Failure } from '../../base/result.ts';
import { schedules } from './registry.ts';
import type { ScheduleSettings } from './schedule.ts';

/** The learning rate over a run, as data; absent fields have PyTorch's defaults. */
export interface LearningRate extends Partial<Omit<ScheduleSettings, 'steps'>> {
  /** A schedule's name. */
  schedule: string;
  /** Steps of the whole run. */
  steps: number;
  /**
   * Warm-up: in this many steps, the learning rate rises linearly to the schedule's first one, as PyTorch's
   * SequentialLR of a LinearLR and the schedule. Default 0.
   */
  warmupSteps?: number;
}

/** PyTorch's defaults; StepLR has no default period, so here it is a third of the steps. */
const defaults = (steps: number): ScheduleSettings => ({
  steps,
  stepSize: Math.ceil(steps / 3),
  gamma: 0.1,
  minLr: 0,
  pctStart: 0.3,
  divFactor: 25,
  finalDivFactor: 1e4,
});

/**
 * The learning rate by step, from 0. After the last step it stays constant.
 * @param lr the optimiser's
 * @throws Failure `not-found` if there is no such schedule, `bad-input` if its settings do not fit the run
 */
export function learningRates(lr: number, settings: LearningRate): (step: number) => number {
  const { schedule: name, steps: all, warmupSteps = 0, ...own } = settings;
  const schedule = schedules.get(name);
  requireThat(
    'the steps of a schedule',
    all,
    Number.isSafeInteger(all) && all >= 1,
    'a whole number above 0',
  );
  const fits = Number.isSafeInteger(warmupSteps) && warmupSteps >= 0 && warmupSteps < all;
  requireThat('the warm-up', warmupSteps, fits, `less than the run's ${all} steps`);
  const steps = all - warmupSteps;
  const full = { ...defaults(steps), ...own };
  const { stepSize, gamma, minLr, pctStart, divFactor, finalDivFactor } = full;
  requireThat(
    'stepSize',
    stepSize,
    Number.isSafeInteger(stepSize) && stepSize >= 1,
    'a whole number above 0',
  );
  requireThat('gamma', gamma, gamma > 0 && gamma < Infinity, 'a number above 0');
  requireThat('minLr', minLr, minLr >= 0 && minLr <= lr, `from 0 to the learning rate, ${lr}`);
  requireThat('pctStart', pctStart, pctStart >= 0 && pctStart <= 1, 'from 0 to 1');
  requireThat('divFactor', divFactor, divFactor > 0 && divFactor < Infinity, 'a number above 0');
  requireThat(
    'finalDivFactor',
    finalDivFactor,
    finalDivFactor > 0 && finalDivFactor < Infinity,
    'a number above 0',
  );
  const first = schedule.rate(0, lr, full);
  return (step) =>
    step < warmupSteps
      ? (first * (step + 1)) / warmupSteps
      : schedule.rate(Math.min(step, all - 1) - warmupSteps, lr, full);
}

function requireThat(what: string, found: number, holds: boolean, expected: string): void {
  if (!holds) throw new Failure('bad-input', `expected ${what} to be ${expected}; found ${found}`);
}
