/**
 * A training run as a state machine: it gets on as far as is wanted, answers questions meanwhile, and when the device is
 * lost goes on from the last copy on a new one. The same seed makes the same batches, so the losses that come again are
 * the same to the bit.
 */
import { assert } from '../base/assert.ts';
import { Failure, type FailureValue } from '../base/result.ts';
import type { ConvChoices } from '../engine/ops/conv/choice/layers.ts';
import type { StateDict } from '../engine/parameters.ts';
import type { Evaluation } from '../engine/evaluation.ts';
import type { Split, Trainer } from '../engine/trainer.ts';
import type { DeviceSupply } from '../gpu/supply.ts';
import { Advance } from './advance.ts';
import type { Adjustable, Adjustment } from './adjustments.ts';
import type { Checkpoint } from './checkpoint.ts';
import { fitConfig, type SessionConfig } from './config.ts';
import { Goal } from './goal.ts';
import type { SessionListener, SessionState } from './listener.ts';
import type { History } from './history.ts';
import { checkStops, type Stops } from './stops.ts';
import { Training } from './training.ts';

export interface Answer {
  /** One a class, summing to 1. */
  probabilities: Float32Array<ArrayBuffer>;
  /** Steps that the answering model was trained for. */
  step: number;
}

/** Losses of the device without getting any further, after which the run gives up. */
const MOST_LOSSES = 3;

export class Session {
  readonly config: SessionConfig;
  private currentState: SessionState = 'idle';
  private readonly training: Training;
  private readonly goal: Goal;
  private readonly advance: Advance;
  /** Losses of the device since the last copy. */
  private losses = 0;
  /** The last question; the next one waits, since they share the image and the answer on the GPU. */
  private answering: Promise<unknown> = Promise.resolve();
  private closed = false;
  private loop: Promise<void> | undefined;

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
    this.goal = new Goal(this.training, this.config);
    this.advance = new Advance(this.config, this.training, this.goal, {
      steps: (...of) => this.listener.steps?.(...of),
      evaluation: (...of) => this.listener.evaluation?.(...of),
      enough: (reason) => this.listener.enough?.(reason),
      kept: (checkpoint) => {
        this.losses = 0;
        this.listener.kept?.(checkpoint);
      },
    });
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
    return !this.goal.isEnded && this.currentState !== 'failed';
  }

  /** True while nobody has asked it to rest: it trains, or will as soon as it can. */
  get isGoing(): boolean {
    return this.goal.isTraining && this.currentState !== 'failed';
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
    return this.training.reached;
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
    this.training.adjust(this.goal.isRestart ? 0 : this.steps, changes);
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
    this.goal.train();
    this.wake();
  }

  /** Rests after the steps in flight; answers when it does. */
  async pause(): Promise<void> {
    this.goal.hurry();
    await this.settled();
  }

  /** Trains exactly one batch after those in flight, then rests; answers when it is done. */
  async stepOnce(): Promise<void> {
    this.requireOpen();
    this.goal.stepOnce();
    this.wake();
    await this.settled();
  }

  /** Back to step 0 with the same seed, and on. */
  restart(): void {
    this.requireOpen();
    this.goal.restart();
    this.losses = 0;
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
    this.goal.finish();
    await this.settled();
    if (this.state !== 'failed') this.set('stopped');
  }

  /** Gives everything on the GPU back. */
  async close(): Promise<void> {
    this.goal.finish();
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
    assert(!this.goal.isEnded, 'a run that has ended was asked to go on');
  }

  private set(state: SessionState, error?: FailureValue): void {
    this.currentState = state;
    this.listener.state?.(state, { step: this.steps, epoch: this.epochs }, error);
  }

  private wake(): void {
    this.loop ??= this.work().finally(() => {
      this.loop = undefined;
      // Asked for while the loop was ending.
      if (this.goal.isOpen && this.currentState !== 'failed') this.wake();
    });
  }

  private async work(): Promise<void> {
    const { goal } = this;
    do {
      try {
        if (!this.training.isPrepared && this.currentState !== 'recovering') this.set('preparing');
        const trainer = await this.training.ready();
        if (goal.isRestart) {
          goal.restarted();
          this.training.begin(trainer);
          this.listener.restarted?.();
        }
        if (goal.isOpen) {
          this.set('training');
          await this.advance.run(trainer);
        }
        // A run at rest can lose its device too.
        if (!goal.isOpen && !this.closed) await this.advance.keep(trainer);
      } catch (error) {
        const failure = this.recover(error);
        if (!failure) continue;
        goal.halt();
        await this.fail(failure);
        goal.settle();
        if (!(failure instanceof Failure)) throw failure;
        return;
      }
    } while (goal.isOpen);
    if (!goal.isEnded) {
      goal.rest();
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
    if (!this.goal.isEnded) this.set('recovering');
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
}

const isLoss = (error: unknown): error is Failure => error instanceof Failure && error.code === 'device-lost';

const bug = (error: unknown): FailureValue => ({
  code: 'unsupported',
  message: `Something went wrong inside wgrad: ${error instanceof Error ? error.message : String(error)}`,
  advice: 'Please report it with the browser and GPU you use.',
});
