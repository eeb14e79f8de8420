/** Reports runs to the page. Each run, and each restart of one, is reported under its own id. */
import type { FailureValue } from '../../base/result.ts';
import type { Dataset } from '../../data/dataset.ts';
import type { SetResults } from '../../engine/evaluation.ts';
import type { ConvChoices } from '../../engine/ops/conv/choice/layers.ts';
import type { MatchRow } from '../../models/file/match.ts';
import { noPoints } from '../../run/metrics/points.ts';
import type { Evaluation, StepRow } from '../../run/metrics/rows.ts';
import { changesOf, settingsAt, type Changes } from '../../run/settings/adjustments.ts';
import type { Checkpoint } from '../../train/checkpoint.ts';
import type { TrainingConfig } from '../../train/config.ts';
import type { Trouble } from '../../train/learning-watch.ts';
import type { Position, RunListener, RunState } from '../../train/listener.ts';
import type { Speed } from '../../train/pacing.ts';
import type { RunConfig, WorkerEvent } from '../api.ts';
import type { EventSender } from '../events.ts';
import type { Evaluated } from '../inspect/samples.ts';
import { evaluationsWith } from '../runs/evaluations.ts';
import { RunRecorder, type RecorderOptions, type RunFacts } from '../runs/recorder.ts';
import type { RunStore } from '../runs/store.ts';

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
    readonly store: RunStore,
    /** What a new run's record says besides its settings. */
    readonly facts: (run: { config: RunConfig; title: string; dataset: Dataset }) => RunFacts,
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
  config: RunConfig;
  made: TrainingConfig;
  /** What the run resumes from. */
  from?: Checkpoint | undefined;
}

/** Reports one run, under its own id even if another run has replaced it. */
export class RunReporter implements RunListener {
  /** What it is a run of, but for the settings in `changes`. */
  of: RunConfig;
  private changes: Changes;
  private runId = 0;
  /** The page does not know of this id yet. */
  private isNew = true;
  /** What the page does not know yet about a resumed run. */
  private from: Checkpoint | undefined;
  private recorder: RunRecorder | undefined;
  /** Resolves when runs that were restarted are written. */
  private ended: Promise<unknown> | undefined;
  private past: RecorderOptions['from'];
  private layers: ConvChoices['layers'] | undefined;
  private speedSentAt = -Infinity;

  constructor(private readonly options: RunReporterOptions) {
    this.of = options.config;
    this.from = options.from;
    this.changes = changesOf(options.made);
  }

  /** The settings that the run began with. */
  get config(): RunConfig {
    return { ...this.of, ...this.changes.start };
  }

  /** Its settings after `step` steps. */
  after(step: number): RunConfig {
    return settingsAt(this.config, this.changes.adjustments, step);
  }

  /**
   * Makes this run the one that the page sees.
   * @param from what is kept of a run that resumes
   */
  takeOver(from?: RecorderOptions['from']): void {
    const { channel, made } = this.options;
    const { dataset, model } = made;
    const { config, changes } = this;
    const { events, store } = channel;
    const runId = (this.runId = channel.next());
    this.isNew = true;
    this.past = from;
    this.recorder = new RunRecorder({
      store,
      config,
      adjustments: changes.adjustments,
      dataset,
      facts: () => channel.facts({ config, title: model.title, dataset }),
      from,
      onRecording: (id) => events.send({ type: 'recording', runId, id }),
      onWritten: (step) => events.send({ type: 'checkpoint', runId, step }),
      onFailure: ({ value }) => events.send({ type: 'checkpoint', runId, step: 0, error: value }),
    });
  }

  /** The run starts from trained weights: what it takes of them. */
  began(rows: readonly MatchRow[]): void {
    this.options.channel.events.send({ type: 'begun', runId: this.runId, rows });
  }

  /** The id under which the run is kept; undefined before its first step. */
  get kept(): string | undefined {
    return this.recorder?.id;
  }

  /** Resolves when everything so far is written, or has failed. */
  async written(): Promise<void> {
    await this.ended;
    await this.recorder?.done();
  }

  /** Another run replaces this one. @param next the id of a kept run that replaces it */
  async end(next?: string): Promise<void> {
    await this.ended;
    await this.recorder?.end(next);
  }

  /** See `RunRecorder`. */
  async letGo(): Promise<void> {
    await this.ended;
    await this.recorder?.letGo();
  }

  /** See `RunRecorder`. */
  takeBack = async (): Promise<boolean> => (await this.recorder?.takeBack()) ?? true;

  state(state: RunState, at: Position & { lastGood?: number }, error?: FailureValue): void {
    const { runId } = this;
    this.send({ type: 'state', runId, state, ...at, error });
    this.recorder?.report(state, at);
    if (this.from) this.sendPast(this.from);
    if (this.isNew && this.changes.adjustments.length > 0) this.sendChanges();
    this.isNew = false;
    this.from = undefined;
  }

  stopReason(reason: string): void {
    this.send({ type: 'stopReason', runId: this.runId, reason });
  }

  checkpoint(checkpoint: Checkpoint): void {
    this.recorder?.save(checkpoint);
  }

  stored(): Promise<void> {
    return this.written();
  }

  choices({ layers }: ConvChoices): void {
    this.layers = layers;
    this.send({ type: 'choices', runId: this.runId, layers });
    this.recorder?.chosen(layers);
  }

  notice(text: string): void {
    this.send({ type: 'notice', runId: this.runId, text });
  }

  restarted(changes: Changes): void {
    this.changes = changes;
    this.ended = Promise.all([this.ended, this.recorder?.end()]);
    this.takeOver();
    if (this.layers) this.recorder?.chosen(this.layers);
  }

  adjusted(changes: Changes): void {
    this.changes = changes;
    this.recorder?.adjusted(this.config, changes.adjustments);
    this.sendChanges();
  }

  steps(rows: readonly StepRow[]): void {
    this.options.channel.events.steps(this.runId, rows);
    this.recorder?.steps(rows);
  }

  evaluation(evaluation: Evaluation, results: SetResults): void {
    this.recorder?.evaluation(evaluation);
    this.options.channel.sendEvaluation(this.runId, evaluation, results);
  }

  trouble(trouble: Trouble | undefined): void {
    this.send({ type: 'trouble', runId: this.runId, trouble });
  }

  speed(speed: Speed): void {
    const now = performance.now();
    if (now - this.speedSentAt < SPEED_EVERY_MS) return;
    this.speedSentAt = now;
    this.send({ type: 'speed', runId: this.runId, speed });
  }

  private sendPast({ config, history }: Checkpoint): void {
    const { runId, past } = this;
    const points = past?.curve.points() ?? noPoints();
    // The checkpoint has the confusion matrices, the record all tests.
    const evaluations = evaluationsWith(past?.record.evaluations ?? [], history.evaluations, Infinity);
    this.send({ type: 'history', runId, evaluations, points });
    this.past = undefined;
    this.layers = config.choices?.layers ?? {};
    this.send({ type: 'choices', runId, layers: this.layers });
  }

  private sendChanges(): void {
    const { runId, of, changes } = this;
    this.send({ type: 'adjusted', runId, record: of.record, ...structuredClone(changes) });
  }

  private send(event: WorkerEvent): void {
    this.options.channel.events.send(event);
  }
}
