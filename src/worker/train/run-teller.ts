/** What the page is told of its runs. Each session, and each restart of one, goes under a number of its own. */
import type { Dataset } from '../../data/dataset.ts';
import type { Evaluation } from '../../engine/evaluation.ts';
import type { ConvChoices } from '../../engine/ops/conv/choice/layers.ts';
import type { StepMetrics } from '../../engine/trainer.ts';
import type { FailureValue } from '../../base/result.ts';
import type { Adjustment } from '../../train/adjustments.ts';
import type { Checkpoint } from '../../train/checkpoint.ts';
import type { EpochReport } from '../../train/history.ts';
import type { SessionListener, SessionState } from '../../train/listener.ts';
import type { ChangesEvent, RunConfig } from '../api.ts';
import type { EventSender, StepRow } from '../events.ts';
import type { Evaluated } from '../inspect/samples.ts';
import type { Keeping } from './keeping.ts';

/** A run in these states trains, or is about to. */
export const MOVING: readonly SessionState[] = ['preparing', 'training', 'recovering'];

/** The run that the page sees. */
export class RunTeller {
  /** Grows with every start and restart. */
  runId = 0;
  /** The run's last evaluation on the test set. */
  evaluated: Evaluated | undefined;

  constructor(
    readonly events: EventSender,
    readonly keeping: Keeping,
  ) {}

  /** The number of a run that takes the place of the one before. */
  next(): number {
    this.evaluated = undefined;
    return ++this.runId;
  }

  tellEvaluation(runId: number, step: number, epoch: number, evaluation: Evaluation): void {
    const { loss: testLoss, accuracy: testAccuracy } = evaluation;
    const confusion = evaluation.confusion.slice();
    if (runId === this.runId) this.evaluated = { step, epoch, evaluation };
    this.events.send({ type: 'evaluation', runId, step, epoch, testLoss, testAccuracy, confusion }, [
      confusion.buffer,
    ]);
  }
}

/** Tells of one session; what it still says when another has taken its place goes under its own number. */
export class SessionTeller implements SessionListener {
  private runId = 0;
  /** The page does not know of this number of the run. */
  private isNew = true;
  /** A copy that is not written yet. */
  private copy: Checkpoint | undefined;
  /** What was changed since step 0. */
  private adjustments: readonly Adjustment[];
  /** What held at step 0. */
  private readonly start: ChangesEvent['start'];

  /** @param before what the run goes on from */
  constructor(
    private readonly teller: RunTeller,
    private readonly run: { readonly config: RunConfig },
    private readonly dataset: Dataset,
    private before?: Checkpoint,
  ) {
    const { lr, momentum, weightDecay } = before?.config.settings ?? run.config.optimizer;
    const { augmentation } = before?.config ?? run.config;
    this.start = { lr, momentum, weightDecay, ...(augmentation ? { augmentation } : {}) };
    this.adjustments = before?.config.adjustments ?? [];
  }

  /** The page sees this run from now on. */
  begin(): void {
    this.runId = this.teller.next();
    this.isNew = true;
  }

  state(
    state: SessionState,
    at: { step: number; epoch: number; lastGood?: number },
    error?: FailureValue,
  ): void {
    const { runId, copy } = this;
    this.send({ type: 'state', runId, state, ...at, ...(error ? { error } : {}) });
    if (this.before) this.tellOfBefore(this.before);
    if (this.isNew && this.adjustments.length > 0) this.tellAdjusted();
    this.isNew = false;
    this.before = undefined;
    if (copy && !MOVING.includes(state)) this.keep(copy, true);
    this.copy = undefined;
  }

  enough(reason: string): void {
    this.send({ type: 'enough', runId: this.runId, reason });
  }

  kept(checkpoint: Checkpoint): void {
    this.copy = checkpoint;
    this.keep(checkpoint, false);
  }

  chosen({ layers }: ConvChoices): void {
    this.send({ type: 'choices', runId: this.runId, layers });
  }

  restarted(): void {
    this.begin();
  }

  adjusted(adjustments: readonly Adjustment[]): void {
    this.adjustments = adjustments;
    this.tellAdjusted();
  }

  steps(
    firstStep: number,
    metrics: readonly StepMetrics[],
    imagesPerSecond: number,
    rates: readonly number[],
  ): void {
    this.teller.events.steps(
      this.runId,
      metrics.map(({ loss, accuracy, gradientNorm = NaN }, i): StepRow => {
        return [firstStep + i, loss, accuracy, imagesPerSecond, rates[i], gradientNorm];
      }),
    );
  }

  evaluation({ step, epoch }: EpochReport, evaluation: Evaluation): void {
    this.teller.tellEvaluation(this.runId, step, epoch, evaluation);
  }

  private keep(checkpoint: Checkpoint, atOnce: boolean): void {
    void this.teller.keeping.offer(checkpoint, this.run.config, this.dataset, atOnce);
  }

  /** What the page cannot know of a run that goes on. */
  private tellOfBefore({ config, history }: Checkpoint): void {
    const { runId } = this;
    const evaluations = history.evaluations.map(({ step, epoch, loss, accuracy, confusion }) => ({
      step,
      epoch,
      testLoss: loss,
      testAccuracy: accuracy,
      ...(confusion ? { confusion } : {}),
    }));
    this.send({ type: 'history', runId, evaluations });
    this.send({ type: 'choices', runId, layers: config.choices?.layers ?? {} });
  }

  private tellAdjusted(): void {
    const { runId, start } = this;
    const adjustments = this.adjustments.map((one) => ({ ...one }));
    this.send({ type: 'adjusted', runId, start, adjustments });
  }

  private send(event: Parameters<EventSender['send']>[0]): void {
    this.teller.events.send(event);
  }
}
