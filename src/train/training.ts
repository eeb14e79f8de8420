/**
 * Where a run is: its trainer on the device of now, the step it has done, and the last copy of all that a step changes,
 * from which it goes on when the device is lost.
 */
import { checkAugmentation } from '../base/augmentation.ts';
import { Failure } from '../base/result.ts';
import { averagingAt } from '../engine/average/index.ts';
import type { ConvChoices } from '../engine/ops/conv/choice/layers.ts';
import type { Optimizer } from '../engine/optimizers/optimizer.ts';
import { optimizers } from '../engine/optimizers/registry.ts';
import type { Evaluation } from '../engine/evaluation.ts';
import type { StepMetrics, Trainer } from '../engine/trainer.ts';
import type { Device } from '../gpu/device.ts';
import type { DeviceSupply } from '../gpu/supply.ts';
import {
  settingsAt,
  withAdjustment,
  type Adjustable,
  type Adjustment,
  type StepSettings,
} from './adjustments.ts';
import { BatchStream, mixWeight, stepSeed } from './batches.ts';
import { keptConfig, type Checkpoint } from './checkpoint.ts';
import type { SessionConfig } from './config.ts';
import { fittingTrainer, type Fit } from './fit.ts';
import { newHistory, withReport, type EpochReport, type History } from './history.ts';
import { chooseConvolutions } from './options.ts';
import { stopReason } from './stops.ts';
import { learningRates } from './schedules/learning-rate.ts';

export class Training {
  /** Steps done. */
  step = 0;
  history: History = newHistory();
  private trainer: Trainer | undefined;
  /** The trainer being made, for all who wait for it. */
  private making: Promise<Trainer> | undefined;
  private chosen: ConvChoices | undefined;
  private copy:
    | (Pick<Checkpoint, 'step' | 'epoch' | 'snapshot' | 'history'> & { adjustments: readonly Adjustment[] })
    | undefined;
  private adjusted: readonly Adjustment[];
  private closed = false;
  private readonly optimizer: Optimizer;
  private readonly batches: BatchStream;
  /** The learning rate by step, from 0, for each one that it was set to. */
  private readonly rates = new Map<number, (step: number) => number>();

  /**
   * @param onChosen told once how convolutions are computed, unless the configuration says it
   * @param onFit told how the run fits a device's memory, before each try to make it there
   */
  constructor(
    private readonly config: SessionConfig,
    private readonly supply: DeviceSupply,
    private readonly onChosen: (choices: ConvChoices) => void,
    private readonly onFit: (fit: Fit) => void,
  ) {
    const { dataset, batchSize, seed, shuffle = true, settings, adjustments = [] } = config;
    this.optimizer = optimizers.get(config.optimizer);
    this.adjusted = adjustments;
    // Schedules that do not fit are refused here.
    for (const { lr = settings.lr } of [settings, ...adjustments]) this.ratesFrom(lr);
    this.batches = new BatchStream(dataset.train.count, batchSize, seed, shuffle);
    this.chosen = config.choices;
    this.copy = config.from && { ...config.from, adjustments };
    this.goBack();
  }

  /** How its convolutions are computed; undefined until it was prepared for the first time. */
  get choices(): ConvChoices | undefined {
    return this.chosen;
  }

  /** Epochs done, whole ones. */
  get epochs(): number {
    return this.batches.epochsAfter(this.step);
  }

  /** The step that ends the epoch under way. */
  get epochEnd(): number {
    return this.stepsFor(this.epochs + 1);
  }

  stepsFor(epochs: number): number {
    return this.batches.stepsFor(epochs);
  }

  /** What changed on the way, by step. */
  get adjustments(): readonly Adjustment[] {
    return this.adjusted;
  }

  /**
   * Changes settings from the step after `step` on.
   * @throws Failure('bad-input') if one is out of range; then nothing has changed
   */
  adjust(step: number, changes: Partial<Adjustable>): void {
    const { config, optimizer } = this;
    const adjusted = withAdjustment(this.adjusted, step, changes);
    const settings = settingsAt({ ...config, adjustments: adjusted }, step);
    optimizer.stepFields(1, settings);
    checkAugmentation(settings.augmentation, config.dataset.shape);
    this.ratesFrom(settings.lr);
    this.adjusted = adjusted;
  }

  /** The learning rate of the step that follows `step` steps. */
  learningRate(step: number): number {
    return this.ratesFrom(this.settingsAt(step).lr)(step);
  }

  /** True if there is a trainer whose device is alive. */
  get isPrepared(): boolean {
    return this.trainer !== undefined && !this.trainer.device.isLost;
  }

  /** The trainer, compiled and at the step where the run is. */
  async ready(): Promise<Trainer> {
    if (this.trainer && this.isPrepared) return this.trainer;
    this.making ??= this.make().finally(() => (this.making = undefined));
    return this.making;
  }

  /** Back to step 0. */
  begin(trainer: Trainer): void {
    const { fork, initial, seed, model, weightsInit = model.weightsInit } = this.config;
    if (fork) trainer.parameters.begin(fork.snapshot);
    else if (initial) trainer.parameters.load(initial);
    else trainer.parameters.initialize(seed, weightsInit);
    this.copy = undefined;
    this.goBack();
  }

  /** Submits the next `count` steps, and does not wait for them. */
  submit(trainer: Trainer, count: number): void {
    trainer.submit(Array.from({ length: count }, (_, i) => this.stepInput(this.step + i)));
    this.step += count;
  }

  /** Copies what a step changes, unless that is kept already: false. */
  async keep(trainer: Trainer): Promise<boolean> {
    const { step, epochs: epoch, history, copy, adjusted: adjustments } = this;
    if (copy?.step === step && copy.history.due === history.due && copy.adjustments === adjustments)
      return false;
    this.copy = {
      step,
      epoch,
      adjustments,
      history: structuredClone(history),
      snapshot: await trainer.parameters.snapshot(trainer.readback),
    };
    return true;
  }

  /** The last copy, with all that is needed to go on from it elsewhere. */
  get checkpoint(): Checkpoint | undefined {
    const { copy, config, chosen } = this;
    if (!copy || !chosen) return undefined;
    const { step, epoch, snapshot, history, adjustments } = copy;
    const { name, mean, std } = config.dataset;
    return {
      step,
      epoch,
      snapshot,
      history,
      config: { ...keptConfig(config), choices: chosen, adjustments },
      dataset: { name, mean, std },
    };
  }

  /** The rule for stopping that holds at the step where the run is, for people; undefined if none does. */
  get reached(): string | undefined {
    const { evaluations } = this.history;
    if (evaluations.at(-1)?.step !== this.step) return undefined;
    return stopReason(this.config.stops ?? {}, evaluations);
  }

  /** Takes note of the losses of steps from `firstStep` on. They belong to one epoch. */
  note(firstStep: number, metrics: readonly StepMetrics[]): void {
    const done = firstStep - 1;
    const begins = done === this.stepsFor(this.batches.epochsAfter(done));
    const epoch = begins ? { loss: 0, steps: 0 } : { ...this.history.epoch };
    for (const { loss } of metrics) epoch.loss += loss;
    epoch.steps += metrics.length;
    this.history = { ...this.history, epoch, loss: metrics[metrics.length - 1].loss };
  }

  /** Takes note of the evaluation that an epoch ends with. */
  noteEvaluation({ loss, accuracy, confusion }: Evaluation): EpochReport {
    const { step, epochs: epoch, history } = this;
    const trainLoss = history.epoch.loss / history.epoch.steps;
    const report = { step, epoch, trainLoss, loss, accuracy, confusion };
    const { due: _due, ...rest } = history;
    this.history = { ...rest, evaluations: withReport(history.evaluations, report) };
    return report;
  }

  /** Back to the last copy, or to the start if there is none. The next trainer begins there; one that is alive does not. */
  goBack(): void {
    if (this.trainer?.device.isLost) this.discard();
    this.step = this.copy?.step ?? 0;
    this.history = structuredClone(this.copy?.history ?? newHistory());
  }

  /** Brings a trainer to the last copy. */
  restore(trainer: Trainer): void {
    if (!this.copy) {
      this.begin(trainer);
      return;
    }
    trainer.parameters.restore(this.copy.snapshot);
    this.goBack();
  }

  /** Gives everything on the GPU back. */
  async close(): Promise<void> {
    this.closed = true;
    await this.making?.catch(() => undefined);
    this.discard();
  }

  private discard(): void {
    this.trainer?.destroy();
    this.trainer = undefined;
  }

  private async make(): Promise<Trainer> {
    if (this.closed) throw new Failure('cancelled', 'The run was closed.');
    this.discard();
    const device = await this.supply.get();
    const trainer = await fittingTrainer(device, this.config, this.choose(device), this.onFit);
    try {
      this.restore(trainer);
    } catch (error) {
      trainer.destroy();
      throw error;
    }
    this.trainer = trainer;
    return trainer;
  }

  /** Decides how convolutions are computed, when the run begins; a restart and a new device change nothing. */
  private choose(device: Device): ConvChoices {
    if (this.chosen) return this.chosen;
    this.chosen = chooseConvolutions(device, this.config);
    this.onChosen(this.chosen);
    return this.chosen;
  }

  /** The learning rate by step, from 0, where the optimiser's is `lr`. */
  private ratesFrom(lr: number): (step: number) => number {
    const { learningRate } = this.config;
    const rates = this.rates.get(lr) ?? (learningRate ? learningRates(lr, learningRate) : () => lr);
    this.rates.set(lr, rates);
    return rates;
  }

  private settingsAt(step: number): StepSettings {
    return settingsAt({ ...this.config, adjustments: this.adjusted }, step);
  }

  private stepInput(step: number) {
    const { ema, seed, fork } = this.config;
    const { augmentation, ...settings } = this.settingsAt(step);
    const { mixup, ...varied } = augmentation;
    const t = step + 1 + (fork?.steps ?? 0);
    return {
      ...(ema === undefined ? {} : { averaging: averagingAt(ema, t) }),
      ...this.optimizer.stepFields(t, { ...settings, lr: this.ratesFrom(settings.lr)(step) }),
      seed: stepSeed(seed, step),
      ...varied,
      ...(mixup > 0 ? { mix: mixWeight(seed, step, mixup) } : {}),
      indices: this.batches.batch(step),
    };
  }
}
