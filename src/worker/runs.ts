/** The one run that the page sees: which session is behind it, and what of it is told. */
import { NO_AUGMENTATION, showAugmentation } from '../base/augmentation.ts';
import { Failure } from '../base/result.ts';
import { datasets } from '../data/catalogue.ts';
import type { Dataset } from '../data/dataset.ts';
import { optimizers } from '../engine/optimizers/registry.ts';
import type { Known } from '../engine/ops/conv/choice/db.ts';
import type { Evaluation } from '../engine/trainer.ts';
import type { Device } from '../gpu/device.ts';
import type { DeviceSupply } from '../gpu/supply.ts';
import { fitModel } from '../models/model.ts';
import type { SessionConfig } from '../train/config.ts';
import type { SessionListener } from '../train/listener.ts';
import { Session, type Answer } from '../train/session.ts';
import type { RunConfig, RunMemory } from './api.ts';
import { modelOf } from './build/choice.ts';
import type { EventSender } from './events.ts';
import type { Evaluated } from './inspect/samples.ts';
import { blankDataset, runMemory } from './memory.ts';

export interface RunsOptions {
  supply: DeviceSupply;
  events: EventSender;
  /** @throws Failure if the data set is not here */
  dataset(name: string): Promise<Dataset>;
  /** What searches found. */
  known(): Promise<(device: Device) => Known>;
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

  /** Evaluates now, and tells of it as after an epoch. A run that trains rests meanwhile, then goes on. */
  async evaluate(): Promise<void> {
    await this.inTurn(async () => {
      const { session } = this;
      const moved = MOVING.includes(session.state);
      await session.pause();
      const evaluation = await session.evaluate('test');
      this.tellEvaluation(this.runId, session.steps, session.epochs, evaluation);
      if (moved && session.isOpen) session.train();
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

  /** The open run's session, or that of a new run if there is none with these settings. */
  private async open(config: RunConfig): Promise<Session> {
    const { run } = this;
    if (run?.session.isOpen && sameRun(run.config, config)) return run.session;
    const dataset = await this.options.dataset(config.dataset);
    const session = new Session(
      await this.sessionConfig(config, dataset),
      this.options.supply,
      this.listener(),
    );
    // The new run could be refused until here; then the old one stays.
    await run?.session.close();
    this.run = { session, config };
    this.evaluated = undefined;
    return session;
  }

  private async sessionConfig(config: RunConfig, dataset: Dataset): Promise<SessionConfig> {
    const known = await this.options.known();
    const { name, ...settings } = config.optimizer;
    return {
      model: fitModel(modelOf(config.model), dataset),
      dataset,
      batchSize: config.batchSize,
      optimizer: name,
      settings: { ...optimizers.get(name).defaults, ...settings },
      ...(config.augmentation ? { augmentation: config.augmentation } : {}),
      seed: config.seed,
      ...{ pins: config.pins ?? [], known },
    };
  }

  /** Tells of a new session; what an older one still says goes under its own number. */
  private listener(): SessionListener {
    const { events } = this.options;
    let runId = ++this.runId;
    return {
      state: (state, { step, epoch }, error) =>
        events.send({ type: 'state', runId, state, step, epoch, ...(error ? { error } : {}) }),
      chosen: ({ layers }) => events.send({ type: 'choices', runId, layers }),
      restarted: () => {
        runId = ++this.runId;
        this.evaluated = undefined;
      },
      steps: (firstStep, metrics, imagesPerSecond) =>
        events.steps(
          runId,
          metrics.map(({ loss, accuracy }, i) => [firstStep + i, loss, accuracy, imagesPerSecond]),
        ),
      evaluation: ({ step, epoch }, evaluation) => this.tellEvaluation(runId, step, epoch, evaluation),
    };
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

const settingsOf = ({ model, dataset, batchSize, seed, optimizer, augmentation }: RunConfig): string => {
  const { name, lr, momentum, nesterov, weightDecay } = optimizer;
  const varied = showAugmentation(augmentation ?? NO_AUGMENTATION);
  return JSON.stringify([model, dataset, batchSize, seed, name, lr, momentum, nesterov, weightDecay, varied]);
};
