/**
 * How a run gets on: in chunks short enough that a pause is felt at once, a chunk ahead of what is read back, with an
 * evaluation after every epoch and a copy of everything a step changes now and then.
 */
import type { Trainer } from '../engine/trainer.ts';
import type { SessionConfig } from './config.ts';
import type { Goal } from './goal.ts';
import { divergence, firstBad } from './guards.ts';
import type { SessionListener } from './listener.ts';
import { Pace } from './pace.ts';
import type { Training } from './training.ts';

/** Copies are kept this often by themselves. */
const KEEP_MS = 5000;

export class Advance {
  private readonly pace = new Pace();
  private keptAt = 0;
  /** A step of those in flight was bad: what comes after it means nothing. */
  private hasDiverged = false;

  constructor(
    private readonly config: SessionConfig,
    private readonly training: Training,
    private readonly goal: Goal,
    private readonly listener: SessionListener,
  ) {}

  /** Trains until the goal changes or is reached. */
  async run(trainer: Trainer): Promise<void> {
    const { training, pace, goal } = this;
    let reading: Promise<void> | undefined;
    let next: Promise<void> | undefined;
    this.hasDiverged = false;
    pace.begin();
    this.keptAt ||= performance.now();
    try {
      if (training.history.due === training.step) await this.report(trainer);
      while (goal.goesOn) {
        const { epochEnd } = training;
        const { keepStep } = this;
        const firstStep = training.step + 1;
        const count = pace.chunk(Math.min(epochEnd, keepStep, goal.end) - training.step);
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
        if (keeps || pace.isSlow || !goal.isTraining) {
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

  /** Keeps a copy to go on from. */
  async keep(trainer: Trainer): Promise<void> {
    const isNew = await this.training.keep(trainer);
    const { checkpoint } = this.training;
    if (isNew && checkpoint) this.listener.kept?.(checkpoint);
    this.keptAt = performance.now();
  }

  /** The next step at which a copy is kept by itself; Infinity if that goes by time. */
  private get keepStep(): number {
    const { keepEvery } = this.config;
    if (!keepEvery || 'ms' in keepEvery) return Infinity;
    return keepEvery.steps * (Math.floor(this.training.step / keepEvery.steps) + 1);
  }

  private get keepMs(): number {
    const { keepEvery = { ms: KEEP_MS } } = this.config;
    return 'ms' in keepEvery ? keepEvery.ms : Infinity;
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
    const { training, goal } = this;
    training.history = { ...training.history, due: training.step };
    const evaluation = await trainer.evaluate('test', () => goal.isPatient);
    if (!evaluation) return;
    this.listener.evaluation?.(training.noteEvaluation(evaluation), evaluation);
    const { reached } = training;
    if (reached === undefined) return;
    goal.rest();
    this.listener.enough?.(reached);
  }
}
