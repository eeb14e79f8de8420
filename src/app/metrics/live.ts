import { actedOn } from '../../run/settings/adjustments.ts';
import type { Evaluation, StepRow } from '../../run/metrics/rows.ts';
import type { ChangesEvent, SamplePage } from '../../worker/api.ts';
import type { Points } from '../../run/metrics/points.ts';
import { Curve, rowsOf } from './curve.ts';

export type LiveAdjustments = Pick<ChangesEvent, 'start' | 'adjustments'>;

const MAX_EVALUATIONS = 2048;
/** Counts in all confusion matrices together: 8 MB. */
const MAX_COUNTS = 2 ** 21;

/** People cannot read faster, and every redraw takes time from the training. */
const PUBLISH_EVERY_MS = 100;
/** For what has a hundred numbers, and takes as long to lay out as all else. */
const PUBLISH_TABLES_EVERY_MS = 400;

/** The rate with everything is that of so many seconds, which hold an epoch's end or two; of less than one it says nothing. */
const RATE_OVER_MS = 10_000;
const RATE_FROM_MS = 1000;

/** Tells its listeners of changes, at most once per `everyMs`, and always of the last one. */
class Publisher {
  /** Grows with each publication: what React compares. */
  version = 0;
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private publishedAt = 0;

  constructor(private readonly everyMs: number) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  changed(): void {
    if (this.timer !== undefined) return;
    const wait = Math.max(0, this.publishedAt + this.everyMs - performance.now());
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.publishedAt = performance.now();
      this.version++;
      for (const listener of this.listeners) listener();
    }, wait);
  }
}

/**
 * The metrics that stream while a run trains. They live outside React; components and charts subscribe and are notified at
 * most ten times a second.
 */
export class LiveMetrics {
  readonly curve = new Curve();
  /** One per epoch, in step order; thinned when a run has thousands. */
  readonly evaluations: Evaluation[] = [];
  /** Of the newest evaluation: classes x classes counts, row is the true class. */
  confusion: Uint32Array | undefined;
  /** The surest mistakes of the newest evaluation, if they were looked at. */
  mistakes: SamplePage | undefined;
  /** Settings that were changed during the run, or will be if it repeats one; undefined if there are none. */
  adjusted: LiveAdjustments | undefined;
  /** Steps trained. */
  step = 0;
  /** Epochs finished. */
  epoch = 0;
  /** For values and curves. */
  readonly values = new Publisher(PUBLISH_EVERY_MS);
  /** For tables. */
  readonly tables = new Publisher(PUBLISH_TABLES_EVERY_MS);

  /** Steps, and when they came, since training began or was resumed: the newest, and those of some seconds before. */
  private readonly came: { step: number; at: number }[] = [];

  /** Steps per second by the clock, with tests and everything else; undefined until a second has passed. */
  get stepsPerSecond(): number | undefined {
    const [first, last] = [this.came[0], this.came.at(-1)];
    const took = first && last ? last.at - first.at : 0;
    return last && took >= RATE_FROM_MS ? (1000 * (last.step - first.step)) / took : undefined;
  }

  /** Call when training pauses or ends. */
  forgetRate(): void {
    this.came.length = 0;
  }

  /** As far as they acted on a step. */
  get changes(): LiveAdjustments | undefined {
    const { adjusted, step } = this;
    return adjusted && { ...adjusted, adjustments: actedOn(adjusted.adjustments, step) };
  }

  get lastEvaluation(): Evaluation | undefined {
    return this.evaluations.at(-1);
  }

  readonly subscribe = this.values.subscribe;

  clear(): void {
    this.forgetRate();
    this.curve.clear();
    this.evaluations.length = 0;
    this.confusion = undefined;
    this.mistakes = undefined;
    this.adjusted = undefined;
    this.step = 0;
    this.epoch = 0;
    this.changed();
  }

  setAdjusted(adjusted: LiveAdjustments): void {
    this.adjusted = adjusted;
    this.changed();
  }

  /** The curves are smoothed over so many steps. */
  smoothOver(steps: number): void {
    this.curve.lookBack = steps;
    this.changed();
  }

  addSteps(rows: readonly StepRow[]): void {
    if (rows.length === 0) return;
    const { last } = this.curve;
    if (last && rows[0].step <= last.step) {
      this.dropEvaluationsFrom(rows[0].step);
      this.forgetRate();
    }
    this.curve.append(rows);
    this.step = this.curve.last?.step ?? 0;
    const at = performance.now();
    this.came.push({ step: this.step, at });
    while (this.came.length > 2 && at - this.came[1].at >= RATE_OVER_MS) this.came.shift();
    this.changed();
  }

  addEvaluation(evaluation: Evaluation): void {
    if (this.evaluations.length === MAX_EVALUATIONS) {
      for (let i = 0; i < MAX_EVALUATIONS / 2; i++) this.evaluations[i] = this.evaluations[2 * i + 1];
      this.evaluations.length = MAX_EVALUATIONS / 2;
    }
    this.dropEvaluationsFrom(evaluation.step);
    this.evaluations.push({ ...evaluation });
    this.thinMatrices();
    this.confusion = evaluation.confusion;
    this.epoch = evaluation.epoch;
    this.changed();
  }

  /** What a run that is resumed did before: its evaluations and its curves. */
  addHistory(evaluations: readonly Evaluation[], points: Points): void {
    this.curve.append(rowsOf(points, this.curve.batchSize));
    this.evaluations.splice(0, this.evaluations.length, ...evaluations.slice(-MAX_EVALUATIONS));
    this.confusion = this.lastEvaluation?.confusion;
    this.changed();
  }

  /** Where the run is. An earlier step than the last one known means that it was rolled back to a checkpoint. */
  setPosition(step: number, epoch: number): void {
    if (this.curve.last && step < this.curve.last.step) {
      this.curve.rewind(step);
      this.dropEvaluationsFrom(step + 1);
    }
    this.step = step;
    this.epoch = epoch;
    this.changed();
  }

  private dropEvaluationsFrom(step: number): void {
    while (this.evaluations.length > 0 && this.evaluations[this.evaluations.length - 1].step >= step) {
      this.evaluations.pop();
    }
  }

  /** Discards every second confusion matrix when there are too many. */
  private thinMatrices(): void {
    if (this.evaluations.length * (this.lastEvaluation?.confusion?.length ?? 0) <= MAX_COUNTS) return;
    const kept = this.evaluations.filter(({ confusion }) => confusion);
    const counts = kept.reduce((sum, { confusion }) => sum + (confusion?.length ?? 0), 0);
    if (counts <= MAX_COUNTS) return;
    for (let i = kept.length - 2; i >= 0; i -= 2) delete kept[i].confusion;
  }

  private changed(): void {
    this.values.changed();
    this.tables.changed();
  }
}

export const live = new LiveMetrics();
