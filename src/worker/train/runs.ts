/** The one run that the page sees, and the commands for it. */
import { lazily } from '../../base/lazily.ts';
import { Failure } from '../../base/result.ts';
import { Turns } from '../../base/turns.ts';
import type { Dataset } from '../../data/dataset.ts';
import type { DeviceSupply } from '../../gpu/supply.ts';
import { settingsAt, withAdjustment } from '../../run/settings/adjustments.ts';
import type { Checkpoint } from '../../train/checkpoint.ts';
import type { TrainingConfig } from '../../train/config.ts';
import type { InitialWeights } from '../../train/fork.ts';
import { scoresOf } from '../../train/progress.ts';
import { TrainingRun, type Prediction } from '../../train/run.ts';
import type { Rescue, RunAdjustment, RunChanges, RunConfig, RunStart, RunWeights } from '../api.ts';
import type { EventSender } from '../events.ts';
import type { Evaluated } from '../inspect/samples.ts';
import type { RunFacts } from '../runs/recorder.ts';
import type { RunStore } from '../runs/store.ts';
import { sameButLive, sameRun, type RunConfigurations } from './run-configurations.ts';
import { evaluationsWith } from '../runs/evaluations.ts';
import { requireSame } from '../runs/same-data.ts';
import { RunChannel, RunReporter } from './run-reporter.ts';
import { begunFrom, HeldStart, type Begun } from './starts.ts';

const rescuing = lazily(() => import('../../train/rescue.ts'));
const weightsFiles = lazily(() => import('../runs/weights.ts'));

/** A large network's epoch can be shorter than its checkpoint takes. */
const CHECKPOINT_SHARE = 0.025;

export interface RunsOptions {
  supply: DeviceSupply;
  events: EventSender;
  settings: RunConfigurations;
  /** The runs that the browser keeps. */
  store: RunStore;
  /** What a new run's record says besides its settings. */
  facts(run: { config: RunConfig; title: string; dataset: Dataset }): RunFacts;
  /** The weights of a network that the page comes with. @throws Failure `not-found` or `download` */
  shipped(name: string): Promise<InitialWeights>;
}

/** The run that the page sees. Its reporter has its settings. */
interface Current {
  run: TrainingRun;
  reporter: RunReporter;
}

export class Runs {
  private current: Current | undefined;
  /** Each command waits until those before it have started. */
  private readonly turns = new Turns();
  private readonly channel: RunChannel;
  /** How many tasks keep runs from training, and the run that resumes after the last of them. */
  private tasks = 0;
  private interrupted: TrainingRun | undefined;
  /** Steps per second at most, of this run and the next ones. */
  private pace = Infinity;
  /** Weights that a run can start from. */
  readonly starts = new HeldStart();

  constructor(private readonly options: RunsOptions) {
    this.channel = new RunChannel(options.events, options.store, options.facts);
  }

  /** Starts a run, or resumes the open one, without settings or if it has the same. */
  async train(config?: RunConfig): Promise<void> {
    await this.turns.take(async () => (await this.open(config)).train());
  }

  /** Trains one batch, then pauses. Resolves when that is done. */
  async stepBatch(config?: RunConfig): Promise<void> {
    const { done } = await this.turns.take(async () => ({ done: (await this.open(config)).stepOnce() }));
    await done;
  }

  /** Pauses training. A run that a task has paused stays so. */
  async pause(): Promise<void> {
    this.setInterrupted(undefined);
    const { done } = await this.turns.take(() => ({ done: this.current?.run.pause() }));
    await done;
  }

  /**
   * Does this while nothing trains. A run that is paused for it resumes afterwards, however the work ends, unless a person
   * pauses or stops it meanwhile. Tasks may overlap.
   */
  async whilePaused<T>(work: () => Promise<T>): Promise<T> {
    this.tasks++;
    try {
      const { done } = await this.turns.take(() => {
        const run = this.current?.run;
        // A run that is being saved has come to its end.
        if (run?.isTraining && run.state !== 'saving') this.setInterrupted(run);
        return { done: run?.pause() };
      });
      await done;
      return await work();
    } finally {
      if (--this.tasks === 0) {
        const run = this.interrupted;
        this.setInterrupted(undefined);
        if (run?.isOpen && run === this.current?.run) run.train();
      }
    }
  }

  private setInterrupted(run: TrainingRun | undefined): void {
    if (run === this.interrupted) return;
    this.interrupted = run;
    this.options.events.send({ type: 'interrupted', resumes: run !== undefined });
  }

  /**
   * Starts at step 0 with these settings, which change at these steps.
   * @throws Failure as `train`
   */
  async restart(config: RunConfig, adjustments: readonly RunAdjustment[] = []): Promise<void> {
    await this.turns.take(async () => {
      // It is as long as the changes make it.
      const { epochs } = settingsAt(config, adjustments);
      const whole = await this.options.settings.of({ ...config, epochs });
      const made = { ...whole, epochs: config.epochs, adjustments };
      const { run, reporter } = this.current ?? {};
      if (!reporter || !run || !canRestart(run) || !sameButLive(reporter.of, config))
        return (await this.replace(config, await this.begun(config, made))).train();
      if (config.start && !run.config.fork) throw lost(config.start);
      await run.pause();
      reporter.of = config;
      await run.restart(made);
    });
  }

  async stop(): Promise<void> {
    this.setInterrupted(undefined);
    const { done } = await this.turns.take(() => ({ done: this.current?.run.stop() }));
    await done;
  }

  /** Resumes the run that was stopped. @throws Failure `not-found` if none was */
  async resumeStopped(): Promise<void> {
    await this.turns.take(async () => {
      const { run } = this;
      if (run.state !== 'stopped') throw new Failure('not-found', 'There is no stopped run to resume.');
      if (!(await this.current?.reporter.takeBack()))
        throw new Failure('busy', 'This run is active in another tab.', 'Select Train to start a new run.');
      run.train();
    });
  }

  /** Lets go of the current run if it is one of these and has ended, so that it can be deleted like any other. */
  async letGo(ids: readonly string[]): Promise<void> {
    await this.turns.take(async () => {
      const { run, reporter } = this.current ?? {};
      if (!run || run.isOpen || !ids.includes(reporter?.kept ?? '')) return;
      await run.settled();
      await reporter?.letGo();
    });
  }

  /** Trains at most this many steps per second from now on, Infinity for full speed. */
  setPace(stepsPerSecond: number): void {
    this.pace = stepsPerSecond;
    this.current?.run.setPace(stepsPerSecond);
  }

  /** Whether a run trains as fast as the device can. */
  get isAtFullSpeed(): boolean {
    return this.pace === Infinity && this.current?.run.isTraining === true;
  }

  /** @throws Failure `not-found` before the first run */
  async predict(image: Uint8Array): Promise<Prediction> {
    return this.run.predict(image);
  }

  /** The current run, for questions about it. @throws Failure `not-found` before the first */
  get run(): TrainingRun {
    if (!this.current) throw new Failure('not-found', 'There is no model yet.', 'Select Train first.');
    return this.current.run;
  }

  /** The run's last evaluation on the test set. @throws Failure `not-found` if there was none yet */
  requireEvaluated(): Evaluated {
    const { evaluated } = this.channel;
    if (evaluated) return evaluated;
    throw new Failure(
      'not-found',
      'The model has not been tested since the page was loaded.',
      'Test it now, or train for a full epoch.',
    );
  }

  /** The model's weights as a file that says what they are for. @throws Failure `not-found` before the first run */
  async weights(): Promise<RunWeights> {
    const { writeWeights } = await weightsFiles();
    const { run, id: runId } = this;
    const { model, dataset } = run.config;
    return run.ask(async (trainer) => {
      const step = run.steps;
      const weights = await trainer.parameters.stateDict(trainer.readback);
      return { runId, step, bytes: writeWeights(weights, { model, dataset }) };
    });
  }

  /** Evaluates now, and reports it as after an epoch. A run that trains is paused meanwhile. */
  async evaluate(): Promise<void> {
    await this.inTurnWhilePaused(async (run) => {
      const test = await run.evaluate('test');
      const validation = run.config.dataset.validation && (await run.evaluate('validation'));
      const evaluation = { step: run.steps, epoch: run.epochs, ...scoresOf({ test, validation }) };
      this.channel.sendEvaluation(this.id, evaluation, test);
    });
  }

  /** The open run, if it has these settings. */
  openAs(config: RunConfig): TrainingRun | undefined {
    const { current } = this;
    return current?.run.isOpen && sameRun(now(current), config) ? current.run : undefined;
  }

  /**
   * Resumes a saved run, also of an earlier visit. Returns its settings.
   * @throws Failure `not-found`, `bad-file` or `storage` if it is not available, `bad-input` if its data have changed
   */
  resume(id: string): Promise<RunConfig> {
    return this.turns.take(async () => {
      const { store, settings } = this.options;
      const { current } = this;
      if (current?.reporter.kept === id) {
        // Its last checkpoint is behind it while it trains.
        await current.run.pause();
        await current.reporter.written();
      }
      const { value: saved } = await store.take(id);
      try {
        const dataset = await settings.dataset(saved.dataset.name);
        await requireSame(saved, dataset);
        return await this.continueFrom(saved, { ...saved.run, record: id }, dataset);
      } catch (error) {
        if (this.current?.reporter.kept !== id) store.tabs.release(id);
        throw error;
      }
    });
  }

  /** Resolves when everything that is to be kept of the open run is written, or has failed. */
  async written(): Promise<void> {
    await this.current?.reporter.written();
  }

  /**
   * Resumes the run that failed from its last checkpoint, with this learning rate from there on.
   * @throws Failure `not-found` before the first run
   */
  rollBack(lr: number): Promise<RunConfig> {
    return this.turns.take(() => this.returnTo(this.run.checkpoint, lr));
  }

  /**
   * Tries three learning rates from the last state in which the run had learnt something, and resumes it from there with
   * the best one.
   * @throws Failure `not-found` before the first run
   */
  rescue(): Promise<Rescue> {
    return this.inTurnWhilePaused(async (run) => {
      const { reporter } = this.current as Current;
      const { ratesToTry, TRY_STEPS } = await rescuing();
      const { lr, optimizer } = now({ run, reporter });
      const from = run.learntCheckpoint;
      const { best, tries, ...rest } = await run.tryRates(ratesToTry(lr, optimizer));
      return {
        ...rest,
        from: from?.step ?? 0,
        steps: TRY_STEPS,
        tries: tries.map(({ lr: rate, loss, helps }) => ({ lr: rate, loss, helps })),
        ...(best ? { config: await this.returnTo(from, best.lr) } : {}),
      };
    });
  }

  /** `whilePaused`, of work that no other command may come between. @throws Failure `not-found` before the first run */
  private inTurnWhilePaused<T>(work: (run: TrainingRun) => Promise<T>): Promise<T> {
    return this.whilePaused(() =>
      this.turns.take(async () => {
        const { run } = this;
        // A command may have come first.
        await run.pause();
        return work(run);
      }),
    );
  }

  /** Resumes the run from a checkpoint, or from step 0 without one, with this learning rate from there on. */
  private async returnTo(checkpoint: Checkpoint | undefined, lr: number): Promise<RunConfig> {
    const { config: before } = this.run;
    const { reporter } = this.current as Current;
    if (checkpoint && checkpoint.step > 0) {
      const adjustments = withAdjustment(checkpoint.config.adjustments ?? [], checkpoint.step, { lr });
      const from = { ...checkpoint, config: { ...checkpoint.config, adjustments } };
      const { config } = reporter;
      const record = reporter.kept ?? config.record;
      return this.continueFrom(from, { ...config, record }, before.dataset);
    }
    const changed = { ...now(this.current as Current), lr };
    (await this.open(changed)).train();
    return changed;
  }

  /**
   * Changes settings that take effect immediately. @throws Failure `not-found` if no run is open, `bad-input` if one is
   * wrong
   */
  adjust(changes: RunChanges): Promise<RunConfig> {
    return this.turns.take(() => {
      const { current } = this;
      if (!current?.run.isOpen) throw new Failure('not-found', 'There is no run to change.');
      current.run.adjust(changes);
      return now(current);
    });
  }

  /**
   * Holds the run's weights for a run that starts from them, by this id in `start` of its settings. Pauses the run and
   * returns its step.
   * @throws Failure `not-found` if there is nothing yet
   */
  holdWeights(id: string): Promise<number> {
    return this.turns.take(async () => {
      const { run } = this;
      await run.pause();
      const { checkpoint } = run;
      if (!checkpoint || checkpoint.step === 0)
        throw new Failure('not-found', 'The run has trained no step yet.', 'Train it, then fork it.');
      this.starts.hold(id, checkpoint);
      return checkpoint.step;
    });
  }

  /**
   * A run with the weights that it starts from.
   * @param made its configuration without them
   * @throws Failure `not-found` or `download` if they are not available, `bad-input` if they do not fit
   */
  async begun({ start, initialWeights }: RunConfig, made: TrainingConfig): Promise<Begun> {
    if (start) return this.begunAt(start, made);
    if (initialWeights === undefined) return { made, rows: [] };
    return begunFrom(await this.options.shipped(initialWeights), made);
  }

  /** The id of the run that the page sees. */
  get id(): number {
    return this.channel.runId;
  }

  /** The open run, or a new one if it has other settings. */
  private async open(config: RunConfig | undefined): Promise<TrainingRun> {
    const before = config ? this.openAs(config) : this.run;
    if (before?.isOpen) return before;
    if (!config) throw new Failure('not-found', 'There is no open run to continue.');
    return this.replace(config, await this.begun(config, await this.options.settings.of(config)));
  }

  /** @throws Failure `not-found` if the weights are not available, `bad-input` if they do not fit */
  private async begunAt(start: RunStart, made: TrainingConfig): Promise<Begun> {
    const found = await this.starts.find(start.id, made);
    if (found) return found;
    const { reporter, run } = this.current ?? {};
    const { model, fork, dataset } = run?.config ?? {};
    // Other weights are held, but the open run began with these.
    if (reporter?.config.start?.id !== start.id || !fork || !dataset) throw lost(start);
    if (JSON.stringify(model?.layers) !== JSON.stringify(made.model.layers)) throw lost(start);
    const { mean, std } = dataset;
    return { made: { ...made, fork, dataset: { ...made.dataset, mean, std } }, rows: [] };
  }

  private async continueFrom(
    checkpoint: Checkpoint,
    config: RunConfig,
    dataset: Dataset,
  ): Promise<RunConfig> {
    const made = await this.options.settings.resumed(checkpoint, dataset);
    (await this.replace(config, { made, from: checkpoint })).train();
    return now(this.current as Current);
  }

  /** The new run can be refused up to this point; then the old one stays. */
  private async replace(config: RunConfig, { made, from, rows = [] }: NewRun): Promise<TrainingRun> {
    const { store, supply } = this.options;
    const reporter = new RunReporter({ channel: this.channel, config, made, from });
    const run = new TrainingRun(made, supply, reporter);
    run.setPace(this.pace);
    run.checkpointTimes.share = CHECKPOINT_SHARE;
    await this.current?.run.close();
    await this.current?.reporter.end(from && config.record);
    this.current = { run, reporter };
    reporter.takeOver(from && (await this.keptOf(config, from)));
    if (rows.length > 0) reporter.began(rows);
    // Numbers and names of runs follow from those before.
    await store.all();
    return run;
  }

  /** What is kept of a run that resumes; undefined if it was not kept. */
  private async keptOf({ record: id }: RunConfig, { step, history }: Checkpoint) {
    const { store } = this.options;
    if (id === undefined || !store.index.find(id)) return undefined;
    const record = await store.get(id);
    const evaluations = evaluationsWith(record.evaluations, [], step);
    const [{ confusion } = {}] = history.evaluations.slice(-1);
    return {
      record: { ...record, step, evaluations, ...(confusion ? { confusion: [...confusion] } : {}) },
      curve: await store.files.curveUpTo(id, step),
    };
  }
}

/** Its settings at its step. */
const now = ({ run, reporter }: Current): RunConfig => reporter.after(run.steps);

const canRestart = (run: TrainingRun): boolean => run.isOpen || run.state === 'failed';

interface NewRun {
  made: TrainingConfig;
  /** What it resumes from; its id is that of the settings. */
  from?: Checkpoint;
  /** What it takes of trained weights. */
  rows?: Begun['rows'];
}

const lost = ({ name, step }: RunStart): Failure =>
  new Failure(
    'not-found',
    `The run's initial weights (${name}, step ${step}) are no longer available.`,
    'Fork a run with saved weights on the Runs screen, or start from random weights. A paused run can still be resumed.',
  );
