/**
 * A training run, from top to bottom: its commands, and the loop that carries them out. The loop submits steps, reads
 * their metrics, evaluates after every epoch and saves checkpoints; when the device is lost it resumes from the last
 * checkpoint on a new one. The same seed gives the same batches, so the repeated losses are the same to the bit.
 */
import { assert } from '../base/assert.ts';
import { lazily } from '../base/lazily.ts';
import { Failure, type FailureValue } from '../base/result.ts';
import { Turns } from '../base/turns.ts';
import type { SetResults } from '../engine/evaluation.ts';
import type { ConvChoices } from '../engine/ops/conv/choice/layers.ts';
import type { StateDict } from '../engine/parameters.ts';
import type { ImageSplit, Trainer } from '../engine/trainer.ts';
import type { DeviceSupply } from '../gpu/supply.ts';
import type { StepRow } from '../run/metrics/rows.ts';
import { LIVE_KEYS, type LiveSettings } from '../run/settings/table.ts';
import { requireSettings } from '../run/settings/text.ts';
import { changesOf, withAdjustment, type Changes } from '../run/settings/adjustments.ts';
import type { Checkpoint } from './checkpoint.ts';
import { CheckpointTimes } from './checkpoint-times.ts';
import { Commands } from './commands.ts';
import { fitConfig, type TrainingConfig } from './config.ts';
import { Divergence, firstBad } from './guards.ts';
import type { History } from './history.ts';
import { setStart } from './initial.ts';
import type { RunListener, RunState } from './listener.ts';
import { Pacing } from './pacing.ts';
import { Progress, type EpochResults } from './progress.ts';
import type { RateTries } from './rescue.ts';
import { StepInputs } from './step-inputs.ts';
import { hasStops } from '../run/stops.ts';
import { TrainerSlot } from './trainer-slot.ts';

const rescuing = lazily(() => import('./rescue.ts'));

export interface Prediction {
  /** One per class, summing to 1. */
  probabilities: Float32Array<ArrayBuffer>;
  /** Steps that the model was trained for. */
  step: number;
}

/** Losses of the device without a new checkpoint, after which the run fails. */
const MAX_LOSSES = 3;

export class TrainingRun {
  readonly config: TrainingConfig;
  readonly checkpointTimes: CheckpointTimes;
  private readonly inputs: StepInputs;
  private readonly progress: Progress;
  private readonly slot: TrainerSlot;
  private readonly commands: Commands;
  private readonly pacing = new Pacing();
  private currentState: RunState = 'idle';
  /** The last checkpoint that was begun. */
  private saving: Promise<void> | undefined;
  /** Losses of the device since the last checkpoint. */
  private losses = 0;
  /** It was reported that the network does not learn. */
  private isInTrouble = false;
  private closed = false;
  private working: Promise<void> | undefined;
  /** The last question; the next one waits, since they share buffers on the GPU. */
  private readonly questions = new Turns();

  /** @throws Failure('bad-input') if model, data and settings do not fit together */
  constructor(
    config: TrainingConfig,
    supply: DeviceSupply,
    private readonly listener: RunListener = {},
  ) {
    this.config = fitConfig(config);
    this.checkpointTimes = new CheckpointTimes(this.config.checkpointEvery);
    this.inputs = new StepInputs(this.config);
    this.progress = new Progress(this.config, this.inputs);
    this.commands = new Commands(this.config.lastStep);
    this.slot = new TrainerSlot({
      config: this.config,
      supply,
      restore: (parameters) => this.progress.restore(parameters),
      onChoices: (choices) => listener.choices?.(choices),
      onNotice: (text) => listener.notice?.(text),
      onFit: (fit) => listener.fit?.(fit),
    });
  }

  // The run's state.

  get state(): RunState {
    return this.currentState;
  }

  /** False while it is stopped, and once an error has ended it. */
  get isOpen(): boolean {
    return !this.commands.isEnded && this.currentState !== 'failed';
  }

  /** True until a pause is requested: it trains, or will as soon as it can. */
  get isTraining(): boolean {
    return this.commands.isTraining && this.currentState !== 'failed';
  }

  /** Steps done. */
  get steps(): number {
    return this.progress.step;
  }

  /** Whole epochs done. */
  get epochs(): number {
    return this.progress.epochs;
  }

  get history(): History {
    return this.progress.history;
  }

  /** Its convolution algorithms; undefined until the run was prepared for the first time. */
  get choices(): ConvChoices | undefined {
    return this.slot.choices;
  }

  /** The last checkpoint: one is saved at every pause, at intervals, and at an epoch's end (see `checkpointTimes`). */
  get checkpoint(): Checkpoint | undefined {
    return this.progress.checkpoint(this.choices);
  }

  /** The last checkpoint of a network that had learnt something; undefined if none had. */
  get learntCheckpoint(): Checkpoint | undefined {
    return this.progress.learntCheckpoint(this.choices);
  }

  /** Why the run should stop at its current step, for the user; undefined if it should not. */
  get stopReason(): string | undefined {
    return this.progress.stopReason;
  }

  /** The settings that it began with, and their changes since. */
  get changes(): Changes {
    return changesOf(this.config, this.inputs.adjustments);
  }

  // Commands.

  /** Starts or resumes training, also after `stop`. */
  train(): void {
    assert(!this.closed, 'the run was closed; it cannot be resumed');
    this.commands.train();
    this.wake();
  }

  /** Pauses after the steps in flight; resolves when it has. */
  async pause(): Promise<void> {
    this.commands.pauseNow(this.steps);
    await this.settled();
  }

  /** Trains exactly one batch after those in flight, then pauses; resolves when it has. */
  async stepOnce(): Promise<void> {
    this.requireOpen();
    this.commands.stepOnce(this.steps);
    this.wake();
    await this.settled();
  }

  /**
   * Returns to step 0 with the same seed, and trains; resolves when it has begun to. What it did before is saved.
   * @param next the configuration of the new try, which differs in live settings alone; without it, changes of settings are
   *   repeated at their steps
   */
  async restart(next?: TrainingConfig): Promise<void> {
    await this.pause();
    this.requireOpen();
    const { config, commands, inputs, progress } = this;
    if (next) {
      for (const key of LIVE_KEYS) Object.assign(config, { [key]: next[key] });
      this.setLastStep(next.lastStep);
    }
    inputs.restart(next ? (next.adjustments ?? []) : inputs.adjustments);
    progress.restart();
    commands.restart();
    this.losses = 0;
    this.isInTrouble = false;
    this.listener.restarted?.(this.changes);
    this.wake();
  }

  /** Rolls a run that failed back to its last checkpoint and pauses there. */
  async rollBack(): Promise<void> {
    this.requireOpen();
    assert(this.currentState === 'failed', 'only a run that failed is rolled back');
    this.losses = 0;
    await this.progress.restore((await this.slot.ready()).parameters);
    this.report('paused');
  }

  /**
   * Changes settings from the next step that is submitted, or the rules for stopping and the run's length, which change no
   * number. A new device and a resumed checkpoint apply them at the same step.
   * @throws Failure('bad-input') if one is out of range, or for the length if the learning rate or lookahead follows a
   *   schedule, which it belongs to; then nothing has changed
   */
  adjust(changes: Partial<LiveSettings>): void {
    this.requireOpen();
    requireSettings(changes);
    const { config, inputs, progress } = this;
    const { step } = progress;
    const { epochs } = changes;
    const isLength = 'epochs' in changes && epochs !== inputs.settingsAt(step).epochs;
    if (isLength && config.learningRate)
      throw new Failure(
        'bad-input',
        'The learning rate schedule or lookahead ends with the last epoch.',
        'Restart with the other number, or fork the run.',
      );
    inputs.adjust(step, changes);
    if (isLength) this.setLastStep(epochs && progress.stepsFor(epochs));
    this.listener.adjusted?.(this.changes);
    // While paused it is saved too.
    if (this.currentState === 'paused') this.wake();
  }

  /** Trains at most this many steps per second from now on, Infinity for full speed. It changes no number of the run. */
  setPace(stepsPerSecond: number): void {
    this.pacing.limit = stepsPerSecond;
  }

  private setLastStep(step: number | undefined): void {
    const { config } = this;
    if (step === undefined) delete config.lastStep;
    else config.lastStep = step;
    this.commands.setLastStep(step);
  }

  /** Ends the run. Until `close`, the model still predicts, and the run can be resumed. */
  async stop(): Promise<void> {
    if (this.currentState === 'failed') return;
    this.commands.end();
    await this.settled();
    if (this.commands.isEnded && this.state !== 'failed') this.report('stopped');
  }

  /** Frees everything on the GPU, once questions are answered. */
  async close(): Promise<void> {
    this.commands.end();
    this.closed = true;
    await this.settled();
    await this.questions.settled();
    await this.slot.close();
  }

  /** Resolves when the run is idle until the next command. */
  async settled(): Promise<void> {
    while (this.working) await this.working;
  }

  // Questions about the current model, also while it trains.

  /**
   * The model's prediction for one image of C x H x W bytes.
   * @throws Failure `bad-input` if the image's size differs
   */
  predict(image: Uint8Array): Promise<Prediction> {
    return this.ask(async (trainer) => {
      const { steps: step } = this;
      return { probabilities: await trainer.predict(image), step };
    });
  }

  /** Asks the network; the next question waits. If the device was lost meanwhile, it is asked again on a new one. */
  ask<T>(question: (trainer: Trainer) => Promise<T>): Promise<T> {
    const ask = async () => question(await this.slot.ready());
    if (this.closed) return Promise.reject(new Failure('cancelled', 'The run was closed.'));
    return this.questions.take(async () => {
      try {
        return await ask();
      } catch (error) {
        if (!isLoss(error)) throw error;
        return ask();
      }
    });
  }

  /**
   * Tries learning rates for a few steps each, from `learntCheckpoint`, or else from step 0. The run must have paused or
   * failed; afterwards it is where it was.
   */
  tryRates(rates: readonly number[]): Promise<RateTries> {
    assert(this.working === undefined, 'learning rates are tried while nothing trains');
    const { config, inputs, progress, learntCheckpoint: from } = this;
    const step = from?.step ?? 0;
    return this.ask(async (trainer) => {
      const { tryRates, TRY_STEPS } = await rescuing();
      const stepsAt = (lr: number) => {
        const settings = from
          ? { ...config, adjustments: withAdjustment(from.config.adjustments ?? [], step, { lr }) }
          : { ...inputs.settingsAt(progress.step), lr, adjustments: [] };
        return new StepInputs(settings).after(step, TRY_STEPS);
      };
      const reset = async () => {
        if (from) trainer.parameters.restore(from.snapshot);
        else await setStart(trainer.parameters, config);
      };
      try {
        return await tryRates(trainer, rates, progress.guessing, reset, stepsAt);
      } finally {
        if (!trainer.device.isLost) await progress.restore(trainer.parameters);
      }
    });
  }

  async evaluate(split: ImageSplit): Promise<SetResults> {
    return (await this.slot.ready()).evaluate(split);
  }

  async stateDict(): Promise<StateDict> {
    const trainer = await this.slot.ready();
    return trainer.parameters.stateDict(trainer.readback);
  }

  // The loop.

  /** Starts the loop, unless it is running. */
  private wake(): void {
    this.working ??= this.work().finally(() => {
      this.working = undefined;
      // A command may have come while the work was ending.
      if (this.hasWork && this.currentState !== 'failed') this.wake();
    });
  }

  private get hasWork(): boolean {
    return this.commands.hasWork(this.steps);
  }

  /** Carries out commands until there are none left: prepares a trainer, trains, saves a checkpoint; recovers from lost devices. */
  private async work(): Promise<void> {
    const { commands, progress, slot } = this;
    do {
      try {
        if (!slot.isPrepared && this.currentState !== 'recovering') this.report('preparing');
        const trainer = await slot.ready();
        if (commands.isRestart) {
          await progress.restore(trainer.parameters);
          commands.restarted();
        }
        if (this.hasWork) {
          this.report('training');
          this.saving = undefined;
          await this.trainSteps(trainer);
        }
        // A paused run can lose its device too.
        if (!this.hasWork && !this.closed) await this.saveAndWait(trainer);
      } catch (error) {
        const failure = this.recover(error);
        if (!failure) continue;
        commands.drop();
        await this.fail(failure);
        commands.pauseHere(this.steps);
        if (!(failure instanceof Failure)) throw failure;
        return;
      }
    } while (this.hasWork);
    if (commands.isEnded) return;
    commands.pause(this.steps);
    this.report('paused');
  }

  /**
   * The training loop. Steps are submitted in chunks short enough that a pause is felt at once, one chunk ahead of the
   * metrics and evaluations that are read back.
   */
  private async trainSteps(trainer: Trainer): Promise<void> {
    const { checkpointTimes, commands, inputs, pacing, progress } = this;
    /** Resolves when all that was submitted is reported. */
    let reported: Promise<void> | undefined;
    checkpointTimes.start();
    pacing.restart();
    try {
      if (progress.isEvaluationDue) await (await this.evaluateEpoch(trainer, undefined)).reported;
      while (commands.hasWork(progress.step)) {
        const { epochEnd } = progress;
        const checkpointStep = checkpointTimes.stepAfter(progress.step);
        const first = progress.step;
        const count = pacing.chunk(Math.min(epochEnd, checkpointStep, commands.until) - first);

        trainer.submit(inputs.after(first, count));
        progress.step += count;
        const before = reported;
        reported = this.reportSteps(trainer, first + 1, count, before);
        // Its failure is handled when it is awaited.
        reported.catch(() => undefined);
        await before;

        const atEpochEnd = progress.step === epochEnd;
        const saves =
          (atEpochEnd && checkpointTimes.isAffordable) ||
          progress.step === checkpointStep ||
          checkpointTimes.isDue;
        if (atEpochEnd && this.config.dataset.test)
          ({ reported } = await this.evaluateEpoch(trainer, reported));
        if (saves) {
          await this.saving;
          ({ reported } = await this.startCheckpoint(trainer, reported));
        }
        // An evaluation may stop the run.
        const decides = atEpochEnd && hasStops(inputs.settingsAt(progress.step));
        if (decides || pacing.isSlow || !commands.isTraining) await reported;
        await pacing.waitAfter(count, () => commands.isTraining && commands.hasWork(progress.step));
      }
    } finally {
      // Steps that fail do not take the checkpoint before them along.
      await this.saving?.catch(() => undefined);
      await reported;
    }
    await this.saving;
  }

  /**
   * Reports steps that were just submitted, after what was submitted `before` them: steps after one that diverged never.
   * @throws Failure `diverged`
   */
  private async reportSteps(
    trainer: Trainer,
    firstStep: number,
    count: number,
    before: Promise<void> | undefined,
  ): Promise<void> {
    // A checkpoint of these steps waits for their report, one before them does not.
    const { pacing, saving } = this;
    const submittedAt = performance.now();
    const metrics = await trainer.readMetrics(count);
    await before;
    pacing.stepped(count, submittedAt);
    const bad = firstBad(metrics);
    const imagesPerSecond = pacing.speed(count) * this.config.batchSize;
    const rows = metrics.slice(0, bad < 0 ? count : bad + 1).map((one, i): StepRow => {
      const step = firstStep + i;
      const { fault: _checked, ...values } = one;
      return { step, ...values, imagesPerSecond, learningRate: this.inputs.learningRate(step - 1) };
    });
    this.listener.steps?.(rows);
    this.listener.speed?.(pacing.fullSpeed);
    if (bad >= 0) {
      await saving;
      throw new Divergence(firstStep + bad, metrics[bad], this.checkpoint?.step ?? 0);
    }
    this.progress.addSteps(rows);
    const { trouble } = this.progress;
    if (this.isInTrouble === (trouble !== undefined)) return;
    this.isInTrouble = !this.isInTrouble;
    this.listener.trouble?.(trouble);
  }

  /**
   * Submits an evaluation of what an epoch has led to. A pause cuts it short; it is repeated when training resumes.
   * @returns when it is reported, after what was submitted `before` it
   */
  private async evaluateEpoch(
    trainer: Trainer,
    before: Promise<void> | undefined,
  ): Promise<{ reported: Promise<void> | undefined }> {
    const { commands, config, progress } = this;
    const { step } = progress;
    progress.expectEvaluation();
    const start = (split: ImageSplit) => trainer.startEvaluation(split, () => commands.letsEvaluate);
    const validation = config.dataset.validation && (await start('validation'));
    const test = await start('test');
    if (!test || (config.dataset.validation && !validation)) return { reported: before };
    const reported = (async () => {
      const results = { test: await test.results, validation: await validation?.results };
      await before;
      this.pacing.restart();
      this.reportEvaluation(step, results);
    })();
    reported.catch(() => undefined);
    return { reported };
  }

  private reportEvaluation(step: number, results: EpochResults): void {
    const { commands, progress, listener } = this;
    listener.evaluation?.(progress.addEvaluation(step, results), results.test);
    const { stopReason } = progress;
    if (stopReason === undefined) return;
    commands.pause(progress.step);
    listener.stopReason?.(stopReason);
  }

  /** Saves a checkpoint and waits until it is stored: whoever sees the run paused can close the page. */
  private async saveAndWait(trainer: Trainer): Promise<void> {
    do {
      if (!this.progress.isSaved) {
        await this.startCheckpoint(trainer);
        await this.saving;
      }
      if (!this.listener.stored) return;
      this.report('saving');
      await this.listener.stored();
      // A setting may have changed meanwhile.
    } while (!this.progress.isSaved && !this.hasWork);
  }

  /**
   * Starts a checkpoint of what was submitted. It is kept once its steps are reported: only their metrics show that it is
   * finite.
   * @returns when steps after it may be reported
   */
  private async startCheckpoint(
    trainer: Trainer,
    before?: Promise<void>,
  ): Promise<{ reported: Promise<void> }> {
    const end = this.checkpointTimes.begin();
    const { noted, saved } = await this.progress.startSave(trainer, before);
    this.saving = (async () => {
      await saved.finally(end);
      this.losses = 0;
      const { checkpoint } = this;
      if (checkpoint) this.listener.checkpoint?.(checkpoint);
    })();
    // Failures are handled when they are awaited.
    for (const promise of [noted, this.saving]) promise.catch(() => undefined);
    return { reported: noted };
  }

  // Failures.

  /**
   * Rolls the run back to the last checkpoint if the device was lost, or if a shader does not compile that another algorithm
   * does without; returns any other error, and one loss too many.
   */
  private recover(error: unknown): unknown {
    if (this.slot.fallBack(error)) {
      this.progress.rollBack();
      return undefined;
    }
    if (!isLoss(error)) return error;
    if (++this.losses >= MAX_LOSSES) {
      return new Failure(
        'device-lost',
        `The GPU was lost ${this.losses} times without a new checkpoint. ${error.message}`,
        'Choose a smaller batch size, close other pages that use the GPU, or restart the browser.',
      );
    }
    this.slot.discardIfLost();
    this.progress.rollBack();
    if (!this.commands.isEnded) this.report('recovering');
    return undefined;
  }

  /** Reports a failure. A run that diverged is rolled back first, so that it can resume. */
  private async fail(failure: unknown): Promise<void> {
    // Steps after the one that diverged may have been submitted.
    const step = failure instanceof Divergence ? failure.step : this.steps;
    const at = { step, epoch: this.inputs.batches.epochsAfter(step) };
    const error = failure instanceof Failure ? failure.value : bug(failure);
    this.currentState = 'failed';
    if (!(failure instanceof Divergence)) {
      this.listener.state?.('failed', at, error);
      return;
    }
    await this.progress.restore((await this.slot.ready()).parameters);
    this.listener.state?.('failed', { ...at, lastGood: this.steps }, error);
  }

  private report(state: RunState): void {
    this.currentState = state;
    this.listener.state?.(state, { step: this.steps, epoch: this.epochs });
  }

  private requireOpen(): void {
    assert(!this.commands.isEnded, 'the run has ended; it cannot be resumed');
  }
}

const isLoss = (error: unknown): error is Failure => error instanceof Failure && error.code === 'device-lost';

const bug = (error: unknown): FailureValue => ({
  code: 'unsupported',
  message: `Internal error: ${error instanceof Error ? error.message : String(error)}`,
  advice: 'Please report it, with your browser and device.',
});
