/** The one run that the page sees: which session is behind it, and what of it is told. */
import { NO_AUGMENTATION, showAugmentation } from '../base/augmentation.ts';
import { lazily } from '../base/lazily.ts';
import { Failure } from '../base/result.ts';
import { datasets } from '../data/catalogue.ts';
import type { Dataset } from '../data/dataset.ts';
import { optimizers } from '../engine/optimizers/registry.ts';
import type { Known } from '../engine/ops/conv/choice/db.ts';
import type { Evaluation } from '../engine/evaluation.ts';
import type { Device } from '../gpu/device.ts';
import type { DeviceSupply } from '../gpu/supply.ts';
import { fitModel } from '../models/model.ts';
import { withAdjustment, type Adjustment } from '../train/adjustments.ts';
import { resumedConfig, type Checkpoint } from '../train/checkpoint.ts';
import type { SessionConfig } from '../train/config.ts';
import { forkOf } from '../train/fork.ts';
import type { SessionListener } from '../train/listener.ts';
import { Session, type Answer } from '../train/session.ts';
import type { RunChanges, RunConfig, RunMemory, RunWeights } from './api.ts';
import { BroughtWeights } from './brought.ts';
import { modelOf } from './build/choice.ts';
import type { EventSender, StepRow } from './events.ts';
import type { Evaluated } from './inspect/samples.ts';
import type { Keeping } from './keeping.ts';
import { blankDataset, runMemory } from './memory.ts';

const archiving = lazily(() => import('./archive.ts'));

export interface RunsOptions {
  supply: DeviceSupply;
  events: EventSender;
  /** @throws Failure if the data set is not here */
  dataset(name: string): Promise<Dataset>;
  /** What searches found. */
  known(): Promise<(device: Device) => Known>;
  /** Where runs are kept. */
  keeping: Keeping;
}

/** A run in these states trains, or is about to. */
const MOVING: readonly string[] = ['preparing', 'training', 'recovering'];

interface Run {
  session: Session;
  config: RunConfig;
}

export class Runs {
  private run: Run | undefined;
  /** Grows with every start and restart. */
  private runId = 0;
  /** The last command; each one waits until those before it have begun their work. */
  private turn: Promise<unknown> = Promise.resolve();
  /** The run's last evaluation on the test set. */
  private evaluated: Evaluated | undefined;
  /** What a run can begin with. */
  readonly brought = new BroughtWeights();

  constructor(private readonly options: RunsOptions) {}

  /** Starts a run, or goes on with the open one if it has the same settings. */
  async train(config: RunConfig): Promise<void> {
    await this.inTurn(async () => (await this.open(config)).train());
  }

  /** Trains one batch, then pauses. Answers when that is done. */
  async stepBatch(config: RunConfig): Promise<void> {
    const { done } = await this.inTurn(async () => ({ done: (await this.open(config)).stepOnce() }));
    await done;
  }

  /** Answers when nothing trains any more, and whether something did. */
  async pause(): Promise<boolean> {
    const { done, moved } = await this.inTurn(() => {
      const session = this.run?.session;
      return { moved: session !== undefined && MOVING.includes(session.state), done: session?.pause() };
    });
    await done;
    return moved;
  }

  /** @throws Failure `not-found` if there is no run */
  async restart(): Promise<void> {
    await this.inTurn(async () => {
      const { run } = this;
      if (!run) throw new Failure('not-found', 'There is no run to start again.', 'Press Train first.');
      if (!run.session.isOpen && run.session.state !== 'failed') (await this.open(run.config)).train();
      else run.session.restart();
    });
  }

  async stop(): Promise<void> {
    const { done } = await this.inTurn(() => ({ done: this.run?.session.stop() }));
    await done;
  }

  /** @throws Failure `not-found` before the first run */
  async predict(image: Uint8Array): Promise<Answer> {
    return this.session.predict(image);
  }

  /** The run that is, for questions about it. @throws Failure `not-found` before the first */
  get session(): Session {
    if (!this.run) throw new Failure('not-found', 'There is no model yet.', 'Press Train first.');
    return this.run.session;
  }

  /** The run's last evaluation on the test set. @throws Failure `not-found` if there was none yet */
  requireEvaluated(): Evaluated {
    if (this.evaluated) return this.evaluated;
    throw new Failure(
      'not-found',
      'The model was not tested yet.',
      'Test it now, or train to the end of an epoch.',
    );
  }

  /** The model's weights as a file. @throws Failure `not-found` before the first run */
  async weights(): Promise<RunWeights> {
    const { writeWeights } = await archiving();
    const { session, runId } = this;
    return session.ask(async (trainer) => {
      const step = session.steps;
      const weights = await trainer.parameters.stateDict(trainer.readback);
      return { runId, step, bytes: writeWeights(weights) };
    });
  }

  /** Evaluates now, and tells of it as after an epoch. A run that trains rests meanwhile, then goes on. */
  async evaluate(): Promise<void> {
    await this.inTurn(async () => {
      const { session } = this;
      const { isGoing } = session;
      await session.pause();
      const evaluation = await session.evaluate('test');
      this.tellEvaluation(this.runId, session.steps, session.epochs, evaluation);
      if (isGoing && session.isOpen) session.train();
    });
  }

  /** Lets a run that rests train on; one that has ended stays as it is. */
  async goOn(): Promise<void> {
    await this.inTurn(() => {
      if (this.run?.session.isOpen) this.run.session.train();
    });
  }

  /** The open run's session, if it has these settings. */
  openAs(config: RunConfig): Session | undefined {
    const { run } = this;
    return run?.session.isOpen && sameRun(run.config, config) ? run.session : undefined;
  }

  /** Everything that such a run follows from. @throws Failure if its data are not here */
  async configOf(config: RunConfig): Promise<SessionConfig> {
    return this.sessionConfig(config, await this.options.dataset(config.dataset));
  }

  /** The same without its images. */
  async outlineOf(config: RunConfig): Promise<SessionConfig> {
    const here = datasets.has(config.dataset);
    const dataset = here
      ? blankDataset(datasets.get(config.dataset))
      : await this.options.dataset(config.dataset);
    return this.sessionConfig(config, dataset);
  }

  /** What a run would need of the GPU's memory. Its data need not be here. */
  async memory(config: RunConfig): Promise<RunMemory> {
    const dataset = blankDataset(datasets.get(config.dataset));
    return runMemory(await this.options.supply.get(), await this.sessionConfig(config, dataset));
  }

  /**
   * Goes on with the run that was kept last, also in an earlier visit. Answers what it was started with.
   * @throws Failure `not-found`, `bad-file` or `storage` if there is none, `bad-input` if its data are others now
   */
  resume(): Promise<RunConfig> {
    return this.inTurn(async () => {
      const { keeping } = this.options;
      const found = await keeping.newest();
      if (!found) throw new Failure('not-found', 'No run is kept here.', 'Press Train for a new one.');
      const dataset = await this.options.dataset(found.value.dataset.name);
      await keeping.requireSame(found.value, dataset);
      return this.continueFrom(found.value, found.value.run, dataset);
    });
  }

  /**
   * Goes on with the run that failed from its last good state, and a learning rate of its own from there on.
   * @throws Failure `not-found` before the first run
   */
  goBack(lr: number): Promise<RunConfig> {
    return this.inTurn(async () => {
      const { checkpoint, config: before } = this.session;
      const { config } = this.run as Run;
      const slower = { ...config, optimizer: { ...config.optimizer, lr } };
      if (checkpoint) {
        const adjustments = withAdjustment(checkpoint.config.adjustments ?? [], checkpoint.step, { lr });
        const from = { ...checkpoint, config: { ...checkpoint.config, adjustments } };
        return this.continueFrom(from, slower, before.dataset);
      }
      // It had nothing good but its beginning.
      (await this.open(slower)).train();
      return slower;
    });
  }

  /** Changes settings that act at once. @throws Failure `not-found` if no run is open, `bad-input` if one is wrong */
  adjust({ stops, ...changes }: RunChanges): Promise<RunConfig> {
    return this.inTurn(() => {
      const { run } = this;
      if (!run?.session.isOpen) throw new Failure('not-found', 'There is no run to change.');
      if (stops) run.session.restAt(stops);
      if (Object.keys(changes).length > 0) run.session.adjust(changes);
      const optimizer = { ...run.config.optimizer, ...changes };
      run.config = { ...run.config, optimizer, ...(stops ? { stops } : {}) };
      return run.config;
    });
  }

  /** Begins a run with the weights of the one that is. @throws Failure `not-found` if there is none to fork yet */
  fork(config: RunConfig): Promise<RunConfig> {
    return this.inTurn(async () => {
      const { session, options } = this;
      await session.pause();
      const { checkpoint } = session;
      if (!checkpoint) throw new Failure('not-found', 'The run has learnt nothing to go on from yet.');
      const dataset = await options.dataset(config.dataset);
      const made = await this.sessionConfig(config, dataset);
      const parent = `run ${this.runId}, step ${checkpoint.step}`;
      const run = { config: { ...config, parent } };
      const forked = new Session(
        { ...made, fork: forkOf(checkpoint, made) },
        options.supply,
        this.listener(run, dataset),
      );
      await this.take(Object.assign(run, { session: forked }));
      forked.train();
      return run.config;
    });
  }

  /** The open run's session, or that of a new run if there is none with these settings. */
  private async open(config: RunConfig): Promise<Session> {
    const { run: before } = this;
    if (before?.session.isOpen && sameRun(before.config, config)) return before.session;
    const dataset = await this.options.dataset(config.dataset);
    const run = { config };
    const session = new Session(
      { ...(await this.sessionConfig(config, dataset)), ...this.startOf(config) },
      this.options.supply,
      this.listener(run, dataset),
    );
    await this.take(Object.assign(run, { session }));
    return session;
  }

  /** @throws Failure `not-found` if the weights that it begins with are not here */
  private startOf({ start }: RunConfig): Pick<SessionConfig, 'initial'> {
    if (!start) return {};
    const initial = this.brought.find(start.id);
    if (initial) return { initial };
    throw new Failure(
      'not-found',
      'The weights that the run began with are not here any more.',
      'Fork the run on the Runs screen once more.',
    );
  }

  private async continueFrom(
    checkpoint: Checkpoint,
    config: RunConfig,
    dataset: Dataset,
  ): Promise<RunConfig> {
    const known = await this.options.known();
    const run = { config };
    const session = new Session(
      { ...resumedConfig(checkpoint, dataset), known },
      this.options.supply,
      this.listener(run, dataset, checkpoint),
    );
    await this.take(Object.assign(run, { session }));
    session.train();
    return config;
  }

  /** The new run could be refused until here; then the old one stays. */
  private async take(run: Run): Promise<void> {
    await this.run?.session.close();
    this.run = run;
    this.evaluated = undefined;
  }

  private async sessionConfig(config: RunConfig, dataset: Dataset): Promise<SessionConfig> {
    const known = await this.options.known();
    const { name, ...settings } = config.optimizer;
    const { schedule, labelSmoothing, clipNorm, ema } = config;
    const stepsOf = (epochs: number) => Math.ceil((epochs * dataset.train.count) / config.batchSize);
    const lastStep = config.epochs && stepsOf(config.epochs);
    if (schedule && !lastStep)
      throw new Failure('bad-input', 'a schedule of the learning rate needs a number of epochs');
    return {
      model: fitModel(modelOf(config.model), dataset),
      dataset,
      batchSize: config.batchSize,
      optimizer: name,
      settings: { ...optimizers.get(name).defaults, ...settings },
      ...(config.augmentation ? { augmentation: config.augmentation } : {}),
      ...{ seed: config.seed, gradientNorms: true },
      ...(config.stops ? { stops: config.stops } : {}),
      ...(lastStep ? { lastStep } : {}),
      ...(schedule && lastStep
        ? {
            learningRate: {
              ...{ schedule: schedule.name, steps: lastStep },
              warmupSteps: stepsOf(schedule.warmupEpochs ?? 0),
            },
          }
        : {}),
      ...(labelSmoothing === undefined ? {} : { labelSmoothing }),
      ...(clipNorm === undefined ? {} : { clipNorm }),
      ...(ema === undefined ? {} : { ema }),
      ...{ pins: config.pins ?? [], known },
    };
  }

  /** Tells of a new session; what an older one still says goes under its own number. */
  private listener(run: { config: RunConfig }, dataset: Dataset, from?: Checkpoint): SessionListener {
    const { events, keeping } = this.options;
    let runId = ++this.runId;
    let before = from;
    /** The page does not know of this number of the run. */
    let isNew = true;
    /** A copy that is not written yet. */
    let copy: Checkpoint | undefined;
    /** What held at step 0, and what was changed since. */
    const { lr, momentum, weightDecay } = from?.config.settings ?? run.config.optimizer;
    let adjusted: readonly Adjustment[] = from?.config.adjustments ?? [];
    const tellAdjusted = () => {
      const adjustments = adjusted.map((one) => ({ ...one }));
      events.send({ type: 'adjusted', runId, start: { lr, momentum, weightDecay }, adjustments });
    };
    return {
      state: (state, at, error) => {
        events.send({ type: 'state', runId, state, ...at, ...(error ? { error } : {}) });
        if (before) this.tellOfBefore(runId, before);
        if (isNew && adjusted.length > 0) tellAdjusted();
        isNew = false;
        before = undefined;
        if (copy && !MOVING.includes(state)) void keeping.offer(copy, run.config, dataset, true);
        copy = undefined;
      },
      enough: (reason) => events.send({ type: 'enough', runId, reason }),
      kept: (checkpoint) => {
        copy = checkpoint;
        void keeping.offer(checkpoint, run.config, dataset, false);
      },
      chosen: ({ layers }) => events.send({ type: 'choices', runId, layers }),
      restarted: () => {
        runId = ++this.runId;
        isNew = true;
        this.evaluated = undefined;
      },
      adjusted: (adjustments) => {
        adjusted = adjustments;
        tellAdjusted();
      },
      steps: (firstStep, metrics, imagesPerSecond, rates) =>
        events.steps(
          runId,
          metrics.map(({ loss, accuracy, gradientNorm = NaN }, i): StepRow => {
            return [firstStep + i, loss, accuracy, imagesPerSecond, rates[i], gradientNorm];
          }),
        ),
      evaluation: ({ step, epoch }, evaluation) => this.tellEvaluation(runId, step, epoch, evaluation),
    };
  }

  /** What the page cannot know of a run that goes on. */
  private tellOfBefore(runId: number, { config, history }: Checkpoint): void {
    const { events } = this.options;
    const evaluations = history.evaluations.map(({ step, epoch, loss, accuracy }) => ({
      ...{ step, epoch, testLoss: loss, testAccuracy: accuracy },
    }));
    events.send({ type: 'history', runId, evaluations });
    events.send({ type: 'choices', runId, layers: config.choices?.layers ?? {} });
  }

  /** The number of the run that the page sees. */
  get id(): number {
    return this.runId;
  }

  private tellEvaluation(runId: number, step: number, epoch: number, evaluation: Evaluation): void {
    const { loss: testLoss, accuracy: testAccuracy } = evaluation;
    const confusion = evaluation.confusion.slice();
    if (runId === this.runId) this.evaluated = { step, epoch, evaluation };
    this.options.events.send({ type: 'evaluation', runId, step, epoch, testLoss, testAccuracy, confusion }, [
      confusion.buffer,
    ]);
  }

  private inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }
}

const sameRun = (a: RunConfig, b: RunConfig): boolean => settingsOf(a) === settingsOf(b);

const settingsOf = ({
  model,
  dataset,
  batchSize,
  seed,
  optimizer,
  augmentation,
  stops,
  start,
  ...config
}: RunConfig): string => {
  const { name, lr, momentum, nesterov, weightDecay } = optimizer;
  const varied = showAugmentation(augmentation ?? NO_AUGMENTATION);
  const data = [model, dataset, batchSize, seed, varied];
  return JSON.stringify([
    ...data,
    name,
    lr,
    momentum,
    nesterov,
    weightDecay,
    stops?.accuracy,
    stops?.patience,
    start?.id,
    ...[config.epochs, config.schedule?.name, config.schedule?.warmupEpochs],
    ...[config.labelSmoothing, config.clipNorm, config.ema, config.parent],
  ]);
};
