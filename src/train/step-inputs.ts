/**
 * The inputs of each training step: its batch, its seed and its hyperparameters. All follow from the configuration and
 * the step.
 */
import { checkAugmentation } from '../base/augmentation.ts';
import { Failure } from '../base/result.ts';
import { averagingAt } from '../engine/average/index.ts';
import { lookaheadAt } from '../engine/average/lookahead.ts';
import type { Optimizer } from '../engine/optimizers/optimizer.ts';
import { optimizers } from '../engine/optimizers/registry.ts';
import { MOST_EPOCH } from '../engine/step.ts';
import type { TrainStep } from '../engine/trainer.ts';
import type { LiveSettings } from '../run/settings/table.ts';
import { settingsAt, withAdjustment, type Adjustment } from '../run/settings/adjustments.ts';
import { BatchStream, mixWeight, stepSeed } from './batches.ts';
import type { TrainingConfig } from './config.ts';
import { learningRates } from './schedules/learning-rate.ts';

export class StepInputs {
  readonly batches: BatchStream;
  private changes: readonly Adjustment[] = [];
  /** The step up to which inputs were asked for; devices may be lost, and steps with them. */
  private reached = 0;
  private readonly optimizer: Optimizer;
  /** The learning rate by step, from 0, for each base rate that was set. */
  private readonly schedules = new Map<number, (step: number) => number>();

  /** @throws Failure('bad-input') if the schedule does not fit, or is missing although lookahead needs its length */
  constructor(private readonly config: TrainingConfig) {
    const { dataset, batchSize, seed, shuffle, adjustments = [] } = config;
    this.optimizer = optimizers.get(config.optimizer);
    this.restart(adjustments);
    if (config.lookahead !== undefined && !config.learningRate)
      throw new Failure('bad-input', 'lookahead: expected a run of so many steps, found one without an end');
    this.batches = new BatchStream(dataset.train.count, batchSize, seed, shuffle);
  }

  /** Settings that were changed during the run, by step. */
  get adjustments(): readonly Adjustment[] {
    return this.changes;
  }

  /**
   * Changes settings from the next step after `step` steps.
   * @throws Failure('bad-input') if one is out of range; then nothing has changed
   */
  adjust(step: number, changes: Partial<LiveSettings>): void {
    const { config, optimizer } = this;
    // What was to come of a run that is repeated does not.
    const made = this.changes.filter((one) => one.step <= Math.max(this.reached, step));
    const adjustments = withAdjustment(made, step, changes);
    const settings = settingsAt(config, adjustments, step);
    optimizer.stepFields(1, settings);
    checkAugmentation(settings.augmentation, config.dataset.shape);
    this.scheduleFor(settings.lr);
    // What is set before the first step is what the run begins with.
    if (step === 0) Object.assign(config, settings);
    this.changes = step === 0 ? [] : adjustments;
  }

  /** Back to step 0, with what the configuration has by now. */
  restart(adjustments: readonly Adjustment[]): void {
    this.changes = adjustments;
    this.reached = 0;
    const { lr: first } = this.config;
    for (const { lr = first } of [this.config, ...adjustments]) this.scheduleFor(lr);
  }

  /** The settings of the next step after `step` steps. */
  settingsAt(step: number): TrainingConfig {
    return settingsAt(this.config, this.changes, step);
  }

  /** The learning rate of the next step after `step` steps. */
  learningRate(step: number): number {
    return this.scheduleFor(this.settingsAt(step).lr)(step);
  }

  /** The next `count` steps after `step` steps. */
  after(step: number, count: number): TrainStep[] {
    this.reached = Math.max(this.reached, step + count);
    return Array.from({ length: count }, (_, i) => this.at(step + i));
  }

  private at(step: number): TrainStep {
    const { seed, fork } = this.config;
    const settings = this.settingsAt(step);
    const { mixup, ...augmented } = settings.augmentation;
    const t = step + 1 + (fork?.steps ?? 0);
    return {
      ...this.averaging(step, t),
      ...this.optimizer.stepFields(t, { ...settings, lr: this.scheduleFor(settings.lr)(step) }),
      seed: stepSeed(seed, step),
      epoch: Math.min(1 + this.batches.epochsAfter(step), MOST_EPOCH),
      ...augmented,
      ...(augmented.alternate > 0 ? { runSeed: seed, position: this.batches.position(step) } : {}),
      ...(mixup > 0 ? { mix: mixWeight(seed, step, mixup) } : {}),
      indices: this.batches.batch(step),
    };
  }

  /**
   * How far averages move in the next step after `step` steps, if there are any.
   * @param t its number, from 1, with the steps behind a fork
   */
  private averaging(step: number, t: number): Pick<TrainStep, 'averaging'> {
    const { ema, lookahead, learningRate } = this.config;
    if (lookahead !== undefined && learningRate)
      return { averaging: lookaheadAt(lookahead, step + 1, learningRate.steps) };
    return ema === undefined ? {} : { averaging: averagingAt(ema, t) };
  }

  /** The learning rate by step, from 0, for the base rate `lr`. */
  private scheduleFor(lr: number): (step: number) => number {
    const { learningRate } = this.config;
    const schedule = this.schedules.get(lr) ?? (learningRate ? learningRates(lr, learningRate) : () => lr);
    this.schedules.set(lr, schedule);
    return schedule;
  }
}
