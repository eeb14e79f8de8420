/**
 * Where a run is: its trainer on the device of now, the step it has done, and the last copy of all that a step changes,
 * from which it goes on when the device is lost.
 */
import { Failure } from '../base/result.ts';
import { averagingAt } from '../engine/average/index.ts';
import { chooseAll, type ConvChoices } from '../engine/ops/conv/choice/layers.ts';
import type { Optimizer } from '../engine/optimizers/optimizer.ts';
import { optimizers } from '../engine/optimizers/registry.ts';
import type { ParameterSnapshot } from '../engine/parameters.ts';
import { Trainer } from '../engine/trainer.ts';
import type { Device } from '../gpu/device.ts';
import type { DeviceSupply } from '../gpu/supply.ts';
import { BatchStream, mixWeight, stepSeed } from './batches.ts';
import type { SessionConfig } from './config.ts';
import { learningRates } from './schedules/learning-rate.ts';

export class Training {
  /** Steps done. */
  step = 0;
  private trainer: Trainer | undefined;
  /** The trainer being made, for all who wait for it. */
  private making: Promise<Trainer> | undefined;
  private chosen: ConvChoices | undefined;
  private kept: { step: number; snapshot: ParameterSnapshot } | undefined;
  private closed = false;
  private readonly optimizer: Optimizer;
  private readonly batches: BatchStream;
  /** The learning rate by step, from 0. */
  private readonly lr: (step: number) => number;

  /** @param onChosen told once how convolutions are computed, unless the configuration says it */
  constructor(
    private readonly config: SessionConfig,
    private readonly supply: DeviceSupply,
    private readonly onChosen: (choices: ConvChoices) => void,
  ) {
    const { dataset, batchSize, seed, shuffle = true, settings, learningRate } = config;
    this.optimizer = optimizers.get(config.optimizer);
    this.lr = learningRate ? learningRates(settings.lr, learningRate) : () => settings.lr;
    this.batches = new BatchStream(dataset.train.count, batchSize, seed, shuffle);
    this.chosen = config.choices;
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
    if (this.config.initial) trainer.parameters.load(this.config.initial);
    else trainer.parameters.initialize(this.config.seed);
    this.step = 0;
    this.kept = undefined;
  }

  /** Submits the next `count` steps, and does not wait for them. */
  submit(trainer: Trainer, count: number): void {
    trainer.submit(Array.from({ length: count }, (_, i) => this.stepInput(this.step + i)));
    this.step += count;
  }

  /** Copies what a step changes, unless that is kept already: false. */
  async keep(trainer: Trainer): Promise<boolean> {
    const { step } = this;
    if (this.kept?.step === step) return false;
    this.kept = { step, snapshot: await trainer.parameters.snapshot(trainer.readback) };
    return true;
  }

  /** The device was lost: goes back to the last copy. The next trainer begins there. */
  goBack(): void {
    if (this.trainer?.device.isLost) this.discard();
    this.step = this.kept?.step ?? 0;
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
    const { model, dataset, batchSize, settings, labelSmoothing, clipNorm, augmentation, ema } = this.config;
    const device = await this.supply.get();
    const trainer = await Trainer.create(device, {
      layers: model.layers,
      input: model.input,
      classes: model.classes,
      batchSize,
      optimizer: this.optimizer,
      settings,
      normalisation: dataset,
      train: dataset.train,
      ...(dataset.test ? { test: dataset.test } : {}),
      ...(labelSmoothing === undefined ? {} : { labelSmoothing }),
      ...(clipNorm === undefined ? {} : { clipNorm }),
      ...(augmentation === undefined ? {} : { augmentation }),
      averages: ema !== undefined,
      choices: this.choose(device),
    });
    try {
      if (this.kept) {
        trainer.parameters.restore(this.kept.snapshot);
        this.step = this.kept.step;
      } else {
        this.begin(trainer);
      }
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
    const { model, batchSize, pins, workspace, known } = this.config;
    this.chosen = chooseAll(device, model.layers, [batchSize, ...model.input], {
      ...(pins ? { pins } : {}),
      ...(workspace === undefined ? {} : { workspace }),
      ...(known ? { known: known(device) } : {}),
    });
    this.onChosen(this.chosen);
    return this.chosen;
  }

  private stepInput(step: number) {
    const { ema, seed, augmentation } = this.config;
    return {
      ...(ema === undefined ? {} : { averaging: averagingAt(ema, step + 1) }),
      ...this.optimizer.stepFields(step + 1, { ...this.config.settings, lr: this.lr(step) }),
      seed: stepSeed(seed, step),
      ...(augmentation?.mixup ? { mix: mixWeight(seed, step, augmentation.mixup) } : {}),
      indices: this.batches.batch(step),
    };
  }
}
