/**
 * A training run as a state machine. It trains in chunks short enough that a pause is felt at once, keeps a copy of
 * everything a step changes now and then, and when the device is lost goes on from that copy on a new one: the same
 * seed makes the same batches, so the losses that come again are the same to the bit.
 */
import { assert } from '../base/assert.ts';
import { Failure, type FailureValue } from '../base/result.ts';
import type { Dataset } from '../data/dataset.ts';
import type { Known } from '../engine/ops/conv/choice/db.ts';
import { averagingAt } from '../engine/average/index.ts';
import { chooseAll, type ConvChoices, type Pin } from '../engine/ops/conv/choice/layers.ts';
import { optimizers } from '../engine/optimizers/registry.ts';
import type { Optimizer, OptimizerSettings } from '../engine/optimizers/optimizer.ts';
import type { ParameterSnapshot, StateDict } from '../engine/parameters.ts';
import { MAX_STEPS, Trainer, type Evaluation, type Split, type StepMetrics } from '../engine/trainer.ts';
import type { Device } from '../gpu/device.ts';
import type { DeviceSupply } from '../gpu/supply.ts';
import type { Model } from '../models/model.ts';
import { BatchStream, stepSeed } from './batches.ts';
import { learningRates, type LearningRate } from './schedules/learning-rate.ts';

export type SessionState = 'idle' | 'preparing' | 'training' | 'paused' | 'recovering' | 'stopped' | 'failed';

export interface SessionConfig {
  model: Model;
  dataset: Dataset;
  batchSize: number;
  /** A registered optimiser's name. */
  optimizer: string;
  settings: OptimizerSettings;
  /** How the learning rate changes; default: it stays as it is in `settings`. */
  learningRate?: LearningRate;
  seed: number;
  /** Default true. False takes the samples in file order. */
  shuffle?: boolean;
  /** Steps after which the run pauses by itself. Default: none. */
  lastStep?: number;
  /** 0 to 1, default 0: of the wanted probability, what all classes share. Evaluation is without it. */
  labelSmoothing?: number;
  /** Gradients with a larger norm, over all parameters, are scaled down to it. Default: none. */
  clipNorm?: number;
  /**
   * How slowly exponential averages of parameters and running statistics forget, 0 to below 1: then they are kept, and
   * evaluate, answer and are saved in place of the last ones. Default: none are kept.
   */
  ema?: number;
  /** Parameters to start from; drawn from the seed otherwise. */
  initial?: StateDict;
  /** Convolutions whose algorithm is set by hand. */
  pins?: readonly Pin[];
  /** Bytes that a convolution may use beyond inputs and outputs. Default DEFAULT_WORKSPACE. */
  workspace?: number;
  /** What searches found on a device. Asked once, when the run begins. */
  known?: (device: Device) => Known;
  /** The choices of a run that is to be repeated or continued, in place of the above. */
  choices?: ConvChoices;
}

export interface Answer {
  /** One a class, summing to 1. */
  probabilities: Float32Array<ArrayBuffer>;
  /** Steps that the answering model was trained for. */
  step: number;
}

export interface SessionListener {
  /** @param at steps and whole epochs done */
  state?(state: SessionState, at: { step: number; epoch: number }, error?: FailureValue): void;
  /** How the run's convolutions are computed, once that is decided. It does not change any more. */
  chosen?(choices: ConvChoices): void;
  /** The run is at step 0 again, as `restart` asked; what comes from now on belongs to the new try. */
  restarted?(): void;
  /** After some steps, in order; `firstStep` counts from 1. Steps come again after a recovery. */
  steps?(firstStep: number, metrics: readonly StepMetrics[], imagesPerSecond: number): void;
  /** After every epoch, if there is a test set. */
  evaluation?(step: number, epoch: number, evaluation: Evaluation): void;
}

/** How long one chunk of steps should keep the GPU busy: a pause waits for two of them at most, or for one step. */
const CHUNK_MS = 40;
/** A copy for recovery is kept this often. */
const KEEP_MS = 5000;
/** Losses of the device without getting any further, after which the run gives up. */
const MOST_LOSSES = 3;

export class Session {
  private currentState: SessionState = 'idle';
  private step = 0;
  private trainer: Trainer | undefined;
  private chosen: ConvChoices | undefined;
  private kept: { step: number; snapshot: ParameterSnapshot } | undefined;
  private keptAt = 0;
  /** Losses of the device since the last copy. */
  private losses = 0;
  /** The trainer being made, for all who wait for it. */
  private making: Promise<Trainer> | undefined;
  /** The last question; the next one waits, since they share the image and the answer on the GPU. */
  private answering: Promise<unknown> = Promise.resolve();
  private readonly optimizer: Optimizer;
  private readonly batches: BatchStream;
  /** The learning rate by step, from 0. */
  private readonly lr: (step: number) => number;
  /** What the user wants: go on, rest, or be done. */
  private goal: 'train' | 'rest' | 'end' = 'rest';
  /** The step to rest at. Beyond `step` if single steps were asked for, or steps were lost with a device. */
  private until = 0;
  private restarting = false;
  /** Whoever waits wants rest at once: an evaluation is cut short. */
  private hurry = false;
  private closed = false;
  private loop: Promise<void> | undefined;
  private msPerStep = CHUNK_MS;
  /** When the last steps came in; 0 if something else was done since. */
  private lastCollect = 0;
  /** The step of an epoch's end whose evaluation was cut short. */
  private reportDue: number | undefined;

  /** @throws Failure('bad-input') if model, data and settings do not fit together */
  constructor(
    readonly config: SessionConfig,
    private readonly supply: DeviceSupply,
    private readonly listener: SessionListener = {},
  ) {
    const { model, dataset, batchSize, seed, shuffle = true } = config;
    this.optimizer = optimizers.get(config.optimizer);
    // Settings out of range are refused here, not at some step.
    this.optimizer.stepFields(1, config.settings);
    if (config.ema !== undefined) averagingAt(config.ema, 1);
    const { lr } = config.settings;
    this.lr = config.learningRate ? learningRates(lr, config.learningRate) : () => lr;
    if (!Number.isSafeInteger(batchSize) || batchSize < 1 || batchSize > 65536) {
      throw new Failure('bad-input', `expected a batch size from 1 to 65536, found ${batchSize}`);
    }
    const fits =
      model.input.every((size, i) => size === dataset.shape[i]) && model.classes === dataset.classes.length;
    if (!fits) {
      const takes = `${model.title} takes images of ${model.input.join(' x ')} in ${model.classes} classes`;
      const has = `${dataset.name} has ${dataset.shape.join(' x ')} in ${dataset.classes.length}`;
      throw new Failure('bad-input', `${takes}; ${has}`);
    }
    if (dataset.train.count < 1) throw new Failure('bad-input', `${dataset.name} has no training images`);
    this.batches = new BatchStream(dataset.train.count, batchSize, seed, shuffle);
    this.chosen = config.choices;
  }

  /** How its convolutions are computed; undefined until it was prepared for the first time. */
  get choices(): ConvChoices | undefined {
    return this.chosen;
  }

  get state(): SessionState {
    return this.currentState;
  }

  /** False once it was ended, by the user or an error. */
  get isOpen(): boolean {
    return this.goal !== 'end' && this.currentState !== 'failed';
  }

  /** Steps done. */
  get steps(): number {
    return this.step;
  }

  /** Epochs done, whole ones. */
  get epochs(): number {
    return this.batches.epochsAfter(this.step);
  }

  stepsFor(epochs: number): number {
    return this.batches.stepsFor(epochs);
  }

  /** Starts training, or goes on. */
  train(): void {
    this.requireOpen();
    this.goal = 'train';
    this.hurry = false;
    this.wake();
  }

  /** Rests after the steps in flight; answers when it does. */
  async pause(): Promise<void> {
    this.rest();
    this.hurry = true;
    await this.settled();
  }

  /** Trains exactly one batch after those in flight, then rests; answers when it is done. */
  async stepOnce(): Promise<void> {
    this.requireOpen();
    this.rest();
    this.until++;
    this.hurry = false;
    this.wake();
    await this.settled();
  }

  /** Back to step 0 with the same seed, and on. */
  restart(): void {
    this.requireOpen();
    this.restarting = true;
    this.losses = 0;
    this.goal = 'train';
    this.hurry = false;
    this.wake();
  }

  /** Ends the run. The model still answers until `close`. */
  async stop(): Promise<void> {
    if (this.currentState === 'failed') return;
    this.goal = 'end';
    await this.settled();
    if (this.state !== 'failed') this.set('stopped');
  }

  /** Gives everything on the GPU back. */
  async close(): Promise<void> {
    this.goal = 'end';
    this.closed = true;
    await this.settled();
    await this.making?.catch(() => undefined);
    this.discard();
  }

  /** Answers when nothing more happens unless asked for. */
  async settled(): Promise<void> {
    while (this.loop) await this.loop;
  }

  /**
   * The model's answer for one image of C x H x W bytes. If the device was lost meanwhile, a new one answers.
   * @throws Failure `bad-input` if the image has another size
   */
  predict(image: Uint8Array): Promise<Answer> {
    const ask = async (): Promise<Answer> => {
      const trainer = await this.ready();
      const { step } = this;
      return { probabilities: await trainer.predict(image), step };
    };
    const answer = this.answering.then(async () => {
      try {
        return await ask();
      } catch (error) {
        if (!isLoss(error)) throw error;
        return ask();
      }
    });
    this.answering = answer.catch(() => undefined);
    return answer;
  }

  async evaluate(split: Split): Promise<Evaluation> {
    const evaluation = await (await this.ready()).evaluate(split);
    assert(evaluation !== undefined, 'an evaluation that nobody ended has no end');
    return evaluation;
  }

  async stateDict(): Promise<StateDict> {
    const trainer = await this.ready();
    return trainer.parameters.stateDict(trainer.readback);
  }

  private requireOpen(): void {
    assert(this.goal !== 'end', 'a run that has ended was asked to go on');
  }

  private set(state: SessionState, error?: FailureValue): void {
    this.currentState = state;
    this.listener.state?.(state, { step: this.step, epoch: this.epochs }, error);
  }

  private wake(): void {
    this.loop ??= this.work().finally(() => {
      this.loop = undefined;
      // Asked for while the loop was ending.
      if (this.wanting() && this.currentState !== 'failed') this.wake();
    });
  }

  /** Sets the goal to rest after the steps that were submitted. */
  private rest(): void {
    if (this.goal !== 'train') return;
    this.goal = 'rest';
    this.until = this.restarting ? 0 : this.step;
  }

  private wanting(): boolean {
    if (this.goal === 'end') return false;
    return this.restarting || this.step < this.end;
  }

  /** The step after which the run rests. */
  private get end(): number {
    return this.goal === 'train' ? (this.config.lastStep ?? Infinity) : this.until;
  }

  private async work(): Promise<void> {
    do {
      try {
        if (!this.usable && this.currentState !== 'recovering') this.set('preparing');
        const trainer = await this.ready();
        if (this.restarting) {
          this.restarting = false;
          this.begin(trainer);
          this.listener.restarted?.();
        }
        if (this.wanting()) {
          this.set('training');
          await this.advance(trainer);
        }
        // A run at rest can lose its device too.
        if (!this.wanting() && !this.closed) await this.keep(trainer);
      } catch (error) {
        const failure = this.recover(error);
        if (!failure) continue;
        this.goal = 'rest';
        this.until = this.step;
        this.set('failed', failure instanceof Failure ? failure.value : bug(failure));
        if (!(failure instanceof Failure)) throw failure;
        return;
      }
    } while (this.wanting());
    if (this.goal !== 'end') {
      this.rest();
      this.set('paused');
    }
  }

  /** Takes the run back to the last copy if the device was lost; answers any other error, and a loss too many. */
  private recover(error: unknown): unknown {
    if (!isLoss(error)) return error;
    if (this.trainer?.device.isLost) this.discard();
    if (++this.losses >= MOST_LOSSES) {
      return new Failure(
        'device-lost',
        `The GPU was lost ${this.losses} times without the run getting any further. ${error.message}`,
        'Take a smaller batch size, close other pages that use the GPU, or restart the browser.',
      );
    }
    this.step = this.kept?.step ?? 0;
    if (this.goal !== 'end') this.set('recovering');
    return undefined;
  }

  private get usable(): boolean {
    return this.trainer !== undefined && !this.trainer.device.isLost;
  }

  /** The trainer, compiled and at the step where the run is. */
  private async ready(): Promise<Trainer> {
    if (this.trainer && this.usable) return this.trainer;
    this.making ??= this.make().finally(() => (this.making = undefined));
    return this.making;
  }

  private async make(): Promise<Trainer> {
    if (this.closed) throw new Failure('cancelled', 'The run was closed.');
    this.discard();
    const { model, dataset, batchSize, settings, labelSmoothing, clipNorm, ema } = this.config;
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
    this.listener.chosen?.(this.chosen);
    return this.chosen;
  }

  private begin(trainer: Trainer): void {
    if (this.config.initial) trainer.parameters.load(this.config.initial);
    else trainer.parameters.initialize(this.config.seed);
    this.step = 0;
    this.kept = undefined;
    this.reportDue = undefined;
  }

  /** Copies what a step changes, unless that is kept already. */
  private async keep(trainer: Trainer): Promise<void> {
    const { step } = this;
    if (this.kept?.step !== step) {
      this.kept = { step, snapshot: await trainer.parameters.snapshot(trainer.readback) };
      this.losses = 0;
    }
    this.keptAt = performance.now();
  }

  private discard(): void {
    this.trainer?.destroy();
    this.trainer = undefined;
  }

  /** Trains until the goal changes or an epoch ends, a chunk ahead of what is read back. */
  private async advance(trainer: Trainer): Promise<void> {
    let reading: Promise<void> | undefined;
    let since = performance.now();
    this.keptAt ||= since;
    this.lastCollect = 0;
    try {
      if (this.reportDue === this.step) await this.report(trainer);
      while (this.wanting() && !this.restarting) {
        const epochEnd = this.batches.stepsFor(this.epochs + 1);
        const count = this.chunk(epochEnd);
        trainer.submit(Array.from({ length: count }, (_, i) => this.stepInput(this.step + i)));
        const firstStep = this.step + 1;
        this.step += count;
        const next = this.collect(trainer, firstStep, count);
        // Its failure is met below, when it is waited for.
        next.catch(() => undefined);
        await reading;
        reading = next;
        const atEpochEnd = this.step === epochEnd;
        // Where a step takes long, running ahead gains little and makes a pause wait for two.
        const slow = this.msPerStep > CHUNK_MS;
        if (atEpochEnd || slow || this.goal !== 'train') {
          await reading;
          reading = undefined;
        }
        const now = performance.now();
        this.msPerStep += ((now - since) / count - this.msPerStep) / 2;
        since = now;
        if (atEpochEnd && this.config.dataset.test) {
          await this.report(trainer);
          this.lastCollect = 0;
        }
        if (atEpochEnd || now - this.keptAt > KEEP_MS) {
          await this.keep(trainer);
          since = performance.now();
        }
      }
    } finally {
      await reading;
    }
  }

  private chunk(epochEnd: number): number {
    const last = Math.min(epochEnd, this.end);
    return Math.max(1, Math.min(MAX_STEPS, Math.floor(CHUNK_MS / this.msPerStep), last - this.step));
  }

  private stepInput(step: number) {
    const { ema } = this.config;
    return {
      ...(ema === undefined ? {} : { averaging: averagingAt(ema, step + 1) }),
      ...this.optimizer.stepFields(step + 1, { ...this.config.settings, lr: this.lr(step) }),
      seed: stepSeed(this.config.seed, step),
      indices: this.batches.batch(step),
    };
  }

  private async collect(trainer: Trainer, firstStep: number, count: number): Promise<void> {
    const metrics = await trainer.readMetrics(count);
    this.listener.steps?.(firstStep, metrics, this.speed(count));
    const bad = metrics.findIndex(({ loss }) => !Number.isFinite(loss));
    if (bad >= 0) {
      throw new Failure(
        'bad-input',
        `The loss at step ${firstStep + bad} is not a number any more: the training has diverged.`,
        'Restart with a smaller learning rate.',
      );
    }
  }

  /** Images a second, by the time since the last steps came in. */
  private speed(count: number): number {
    const now = performance.now();
    const ms = this.lastCollect ? now - this.lastCollect : this.msPerStep * count;
    this.lastCollect = now;
    return (1000 * count * this.config.batchSize) / Math.max(ms, 0.001);
  }

  /** Evaluates on the test set. A pause cuts it short; it is made up for when training goes on. */
  private async report(trainer: Trainer): Promise<void> {
    const { step, epochs } = this;
    this.reportDue = step;
    const goOn = () => !this.hurry && !this.restarting && this.goal !== 'end';
    const evaluation = await trainer.evaluate('test', goOn);
    if (!evaluation) return;
    this.reportDue = undefined;
    this.listener.evaluation?.(step, epochs, evaluation);
  }
}

const isLoss = (error: unknown): error is Failure => error instanceof Failure && error.code === 'device-lost';

const bug = (error: unknown): FailureValue => ({
  code: 'unsupported',
  message: `Something went wrong inside wgrad: ${error instanceof Error ? error.message : String(error)}`,
  advice: 'Please report it with the browser and GPU you use.',
});
