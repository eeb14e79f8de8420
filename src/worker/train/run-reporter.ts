/** Reports runs to the page. Each run, and each restart of one, is reported under its own id. */
import type { FailureValue } from '../../base/result.ts';
import type { Dataset } from '../../data/dataset.ts';
import type { SetResults } from '../../engine/evaluation.ts';
import type { ConvChoices } from '../../engine/ops/conv/choice/layers.ts';
import type { Evaluation, StepRow } from '../../run/metrics/rows.ts';
import type { Adjustment } from '../../train/adjustments.ts';
import type { Checkpoint } from '../../train/checkpoint.ts';
import type { Position, RunListener, RunState } from '../../train/listener.ts';
import type { Speed } from '../../train/pacing.ts';
import type { ChangesEvent, RunConfig, WorkerEvent } from '../api.ts';
import type { EventSender } from '../events.ts';
import type { Evaluated } from '../inspect/samples.ts';
import type { SavedRuns } from './saved-runs.ts';

/** A run in these states trains or will train. */
export const ACTIVE: readonly RunState[] = ['preparing', 'training', 'recovering'];

/** Nobody reads a speed that changes faster. */
const SPEED_EVERY_MS = 1000;

/** The run that the page sees. */
export class RunChannel {
  /** Increases with every start and restart. */
  runId = 0;
  /** The run's last evaluation on the test set, per image. */
  evaluated: Evaluated | undefined;

  constructor(
    readonly events: EventSender,
    readonly savedRuns: SavedRuns,
  ) {}

  /** The id of a run that replaces the one before. */
  next(): number {
    this.evaluated = undefined;
    return ++this.runId;
  }

  sendEvaluation(runId: number, evaluation: Evaluation, results: SetResults): void {
    const { step, epoch } = evaluation;
    if (runId === this.runId) this.evaluated = { step, epoch, evaluation: results };
    const confusion = results.confusion.slice();
    this.events.send({ type: 'evaluation', runId, evaluation: { ...evaluation, confusion } }, [
      confusion.buffer,
    ]);
  }
}

export interface RunReporterOptions {
  channel: RunChannel;
  /** The run's settings; a change replaces them. */
  run: { readonly config: RunConfig };
  dataset: Dataset;
  /** What the run resumes from. */
  from?: Checkpoint | undefined;
}

/** Reports one run, under its own id even if another run has replaced it. */
export class RunReporter implements RunListener {
  private runId = 0;
  /** The page does not know of this id yet. */
  private isNew = true;
  /** What the page does not know yet about a resumed run. */
  private from: Checkpoint | undefined;
  /** A checkpoint that is not written yet. */
  private unwritten: Checkpoint | undefined;
  private speedSentAt = -Infinity;
  /** Settings that were changed since step 0. */
  private adjustments: readonly Adjustment[];
  /** Settings at step 0. */
  private readonly start: ChangesEvent['start'];

  constructor(private readonly options: RunReporterOptions) {
    const { run, from } = options;
    const { lr, momentum, weightDecay, augmentation } = from?.config ?? run.config;
    this.from = from;
    this.start = { lr, momentum, weightDecay, augmentation };
    this.adjustments = from?.config.adjustments ?? [];
  }

  /** Makes this run the one that the page sees. */
  takeOver(): void {
    this.runId = this.options.channel.next();
    this.isNew = true;
  }

  state(state: RunState, at: Position & { lastGood?: number }, error?: FailureValue): void {
    const { runId, unwritten } = this;
    this.send({ type: 'state', runId, state, ...at, ...(error ? { error } : {}) });
    if (this.from) this.sendPast(this.from);
    if (this.isNew && this.adjustments.length > 0) this.sendAdjustments();
    this.isNew = false;
    this.from = undefined;
    if (unwritten && !ACTIVE.includes(state)) this.write(unwritten, true);
    this.unwritten = undefined;
  }

  stopReason(reason: string): void {
    this.send({ type: 'stopReason', runId: this.runId, reason });
  }

  checkpoint(checkpoint: Checkpoint): void {
    this.unwritten = checkpoint;
    this.write(checkpoint, false);
  }

  choices({ layers }: ConvChoices): void {
    this.send({ type: 'choices', runId: this.runId, layers });
  }

  restarted(): void {
    this.takeOver();
  }

  adjusted(adjustments: readonly Adjustment[]): void {
    this.adjustments = adjustments;
    this.sendAdjustments();
  }

  steps(rows: readonly StepRow[]): void {
    this.options.channel.events.steps(this.runId, rows);
  }

  evaluation(evaluation: Evaluation, results: SetResults): void {
    this.options.channel.sendEvaluation(this.runId, evaluation, results);
  }

  speed(speed: Speed): void {
    const now = performance.now();
    if (now - this.speedSentAt < SPEED_EVERY_MS) return;
    this.speedSentAt = now;
    this.send({ type: 'speed', runId: this.runId, speed });
  }

  private write(checkpoint: Checkpoint, atOnce: boolean): void {
    const { channel, run, dataset } = this.options;
    void channel.savedRuns.offer(checkpoint, run.config, dataset, atOnce);
  }

  private sendPast({ config, history }: Checkpoint): void {
    const { runId } = this;
    this.send({ type: 'history', runId, evaluations: history.evaluations });
    this.send({ type: 'choices', runId, layers: config.choices?.layers ?? {} });
  }

  private sendAdjustments(): void {
    const { runId, start } = this;
    const adjustments = this.adjustments.map((one) => ({ ...one }));
    this.send({ type: 'adjusted', runId, start, adjustments });
  }

  private send(event: WorkerEvent): void {
    this.options.channel.events.send(event);
  }
}
