/**
 * A training run as a state machine. It trains in chunks short enough that a pause is felt at once, keeps a copy of
 * everything a step changes now and then, and when the device is lost goes on from that copy on a new one: the same
 * seed makes the same batches, so the losses that come again are the same to the bit.
 */
import { assert } from '../base/assert.ts';
import { Failure, type FailureValue } from '../base/result.ts';
import type { ConvChoices } from '../engine/ops/conv/choice/layers.ts';
import type { StateDict } from '../engine/parameters.ts';
import type { Evaluation } from '../engine/evaluation.ts';
import type { Split, Trainer } from '../engine/trainer.ts';
import type { DeviceSupply } from '../gpu/supply.ts';
import type { Adjustable, Adjustment } from './adjustments.ts';
import type { Checkpoint } from './checkpoint.ts';
import { fitConfig, type SessionConfig } from './config.ts';
import type { SessionListener, SessionState } from './listener.ts';
import { divergence, firstBad } from './guards.ts';
import type { History } from './history.ts';
import { Pace } from './pace.ts';
import { checkStops, stopReason, type Stops } from './stops.ts';
import { Training } from './training.ts';

export interface Answer {
  /** One a class, summing to 1. */
  probabilities: Float32Array<ArrayBuffer>;
  /** Steps that the answering model was trained for. */
  step: number;
}

/** Copies are kept this often by themselves. */
const KEEP_MS = 5000;
/** Losses of the device without getting any further, after which the run gives up. */
const MOST_LOSSES = 3;

export class Session {
  readonly config: SessionConfig;
  private currentState: SessionState = 'idle';
  private readonly training: Training;
  private readonly pace = new Pace();
  private keptAt = 0;
  /** Losses of the device since the last copy. */
  private losses = 0;
  /** The last question; the next one waits, since they share the image and the answer on the GPU. */
  private answering: Promise<unknown> = Promise.resolve();
  /** What the user wants: go on, rest, or be done. */
  private goal: 'train' | 'rest' | 'end' = 'rest';
  /** The step to rest at. Beyond where the run is if single steps were asked for, or steps were lost with a device. */
  private until = 0;
  private restarting = false;
  /** Whoever waits wants rest at once: an evaluation is cut short. */
  private hurry = false;
  private closed = false;
  private loop: Promise<void> | undefined;
  /** A step of those in flight was bad: what comes after it means nothing. */
  private hasDiverged = false;

  /** @throws Failure('bad-input') if model, data and settings do not fit together */
  constructor(
    config: SessionConfig,
    supply: DeviceSupply,
    private readonly listener: SessionListener = {},
  ) {
    this.config = fitConfig(config);
    this.training = new Training(
      this.config,
      supply,
      (choices) => this.listener.chosen?.(choices),
      (fit) => this.listener.fits?.(fit),
    );
  }

  /** How its convolutions are computed; undefined until it was prepared for the first time. */
  get choices(): ConvChoices | undefined {
    return this.training.choices;
  }

  get state(): SessionState {
    return this.currentState;
  }

  /** False once it was ended, by the user or an error. */
  get isOpen(): boolean {
    return this.goal !== 'end' && this.currentState !== 'failed';
  }

  /** True while nobody has asked it to rest: it trains, or will as soon as it can. */
  get isGoing(): boolean {
    return this.goal === 'train' && this.currentState !== 'failed';
  }

  /** Steps done. */
  get steps(): number {
    return this.training.step;
  }

  /** Epochs done, whole ones. */
  get epochs(): number {
    return this.training.epochs;
  }

  stepsFor(epochs: number): number {
    return this.training.stepsFor(epochs);
  }

  get history(): History {
    return this.training.history;
  }

  /** What the run can go on from, as it was last kept: at every epoch's end, every rest, and now and then. */
  get checkpoint(): Checkpoint | undefined {
    return this.training.checkpoint;
  }

  /** The rule for stopping that holds at the step where the run is, for people; undefined if none does. */
  get reached(): string | undefined {
    const { evaluations } = this.history;
    if (evaluations.at(-1)?.step !== this.steps) return undefined;
    return stopReason(this.config.stops ?? {}, evaluations);
  }

  /** What of its settings changed on the way, by step. */
  get adjustments(): readonly Adjustment[] {
    return this.training.adjustments;
  }

  /**
   * Changes settings from the next step that is submitted on. A restart, a new device and whoever goes on from a
   * checkpoint do so at the same step.
   * @throws Failure('bad-input') if one is out of range; then nothing has changed
   */
  adjust(changes: Partial<Adjustable>): void {
    this.requireOpen();
    this.training.adjust(this.restarting ? 0 : this.steps, changes);
    this.listener.adjusted?.(this.adjustments);
    // At rest too it is kept.
    if (this.currentState === 'paused') this.wake();
  }

  /** Sets the rules by which it comes to rest, which no number follows from. @throws Failure('bad-input') */
  restAt(stops: Stops): void {
    checkStops(stops);
    this.config.stops = stops;
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

  /** A run that failed rests at its last copy, and can go on from there. */
  async goBack(): Promise<void> {
    this.requireOpen();
    assert(this.currentState === 'failed', 'only a run that failed goes back');
    this.losses = 0;
    this.training.restore(await this.training.ready());
    this.set('paused');
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
    await this.training.close();
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
    return this.ask(async (trainer) => {
      const { steps: step } = this;
      return { probabilities: await trainer.predict(image), step };
    });
  }

  /**
   * Puts a question to the network as it is now, also while it trains; the next one waits. If the device was lost
   * meanwhile, it is put again on a new one.
   */
  ask<T>(question: (trainer: Trainer) => Promise<T>): Promise<T> {
    const ask = async () => question(await this.training.ready());
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
    const evaluation = await (await this.training.ready()).evaluate(split);
    assert(evaluation !== undefined, 'an evaluation that nobody ended has no end');
    return evaluation;
  }

  async stateDict(): Promise<StateDict> {
    const trainer = await this.training.ready();
    return trainer.parameters.stateDict(trainer.readback);
  }

  private requireOpen(): void {
    assert(this.goal !== 'end', 'a run that has ended was asked to go on');
  }

  private set(state: SessionState, error?: FailureValue): void {
    this.currentState = state;
    this.listener.state?.(state, { step: this.steps, epoch: this.epochs }, error);
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
    this.until = this.restarting ? 0 : this.steps;
  }

  private wanting(): boolean {
    if (this.goal === 'end') return false;
    return this.restarting || this.steps < this.end;
  }

  /** The step after which the run rests. */
  private get end(): number {
    return this.goal === 'train' ? (this.config.lastStep ?? Infinity) : this.until;
  }

  private async work(): Promise<void> {
    do {
      try {
        if (!this.training.isPrepared && this.currentState !== 'recovering') this.set('preparing');
        const trainer = await this.training.ready();
        if (this.restarting) {
          this.restarting = false;
          this.training.begin(trainer);
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
        await this.fail(failure);
        this.until = this.steps;
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
    if (++this.losses >= MOST_LOSSES) {
      return new Failure(
        'device-lost',
        `The GPU was lost ${this.losses} times without the run getting any further. ${error.message}`,
        'Take a smaller batch size, close other pages that use the GPU, or restart the browser.',
      );
    }
    this.training.goBack();
    if (this.goal !== 'end') this.set('recovering');
    return undefined;
  }

  /** Tells of a failure. A run that has diverged is back at its last copy then, and goes on from it if asked. */
  private async fail(failure: unknown): Promise<void> {
    const at = { step: this.steps, epoch: this.epochs };
    const error = failure instanceof Failure ? failure.value : bug(failure);
    this.currentState = 'failed';
    if (error.code !== 'diverged') {
      this.listener.state?.('failed', at, error);
      return;
    }
    this.training.restore(await this.training.ready());
    this.listener.state?.('failed', { ...at, lastGood: this.steps }, error);
  }

  /** Keeps a copy to go on from. */
  private async keep(trainer: Trainer): Promise<void> {
    if (await this.training.keep(trainer)) {
      this.losses = 0;
      const { checkpoint } = this;
      if (checkpoint) this.listener.kept?.(checkpoint);
    }
    this.keptAt = performance.now();
  }

  /** The next step at which a copy is kept by itself; Infinity if that goes by time. */
  private get keepStep(): number {
    const { keepEvery } = this.config;
    if (!keepEvery || 'ms' in keepEvery) return Infinity;
    return keepEvery.steps * (Math.floor(this.steps / keepEvery.steps) + 1);
  }

  private get keepMs(): number {
    const { keepEvery = { ms: KEEP_MS } } = this.config;
    return 'ms' in keepEvery ? keepEvery.ms : Infinity;
  }

  /** Trains until the goal changes or an epoch ends, a chunk ahead of what is read back. */
  private async advance(trainer: Trainer): Promise<void> {
    const { training, pace } = this;
    let reading: Promise<void> | undefined;
    let next: Promise<void> | undefined;
    this.hasDiverged = false;
    pace.begin();
    this.keptAt ||= performance.now();
    try {
      if (training.history.due === training.step) await this.report(trainer);
      while (this.wanting() && !this.restarting) {
        const { epochEnd } = training;
        const { keepStep } = this;
        const firstStep = training.step + 1;
        const count = pace.chunk(Math.min(epochEnd, keepStep, this.end) - training.step);
        training.submit(trainer, count);
        next = this.collect(trainer, firstStep, count);
        // Its failure is met below, when it is waited for.
        next.catch(() => undefined);
        await reading;
        reading = next;
        const atEpochEnd = training.step === epochEnd;
        const keeps =
          atEpochEnd || training.step === keepStep || performance.now() - this.keptAt > this.keepMs;
        // What is kept has to be good, which only its metrics say.
        if (keeps || pace.isSlow || this.goal !== 'train') {
          await reading;
          reading = undefined;
        }
        pace.stepped(count);
        if (atEpochEnd && this.config.dataset.test) await this.report(trainer);
        if (keeps) {
          await this.keep(trainer);
          pace.begin();
        }
      }
    } finally {
      // Steps behind a bad one come in too, and are passed over.
      await next?.catch(() => undefined);
      await reading;
    }
  }

  private async collect(trainer: Trainer, firstStep: number, count: number): Promise<void> {
    const metrics = await trainer.readMetrics(count);
    if (this.hasDiverged) return;
    const bad = firstBad(metrics);
    const told = bad < 0 ? metrics : metrics.slice(0, bad + 1);
    const rates = told.map((_, i) => this.training.learningRate(firstStep - 1 + i));
    this.listener.steps?.(firstStep, told, this.pace.speed(count) * this.config.batchSize, rates);
    if (bad >= 0) {
      this.hasDiverged = true;
      throw divergence(firstStep + bad, metrics[bad], this.training.checkpoint?.step ?? 0);
    }
    this.training.note(firstStep, metrics);
  }

  /** Evaluates on the test set. A pause cuts it short; it is made up for when training goes on. */
  private async report(trainer: Trainer): Promise<void> {
    const { training } = this;
    training.history = { ...training.history, due: training.step };
    const goOn = () => !this.hurry && !this.restarting && this.goal !== 'end';
    const evaluation = await trainer.evaluate('test', goOn);
    if (!evaluation) return;
    this.listener.evaluation?.(training.noteEvaluation(evaluation), evaluation);
    const { reached } = this;
    if (reached === undefined) return;
    this.rest();
    this.listener.enough?.(reached);
  }
}

const isLoss = (error: unknown): error is Failure => error instanceof Failure && error.code === 'device-lost';

const bug = (error: unknown): FailureValue => ({
  code: 'unsupported',
  message: `Something went wrong inside wgrad: ${error instanceof Error ? error.message : String(error)}`,
  advice: 'Please report it with the browser and GPU you use.',
});
