/** The one run that the page sees: which session is behind it. */
import { lazily } from '../../base/lazily.ts';
import { Failure } from '../../base/result.ts';
import type { Dataset } from '../../data/dataset.ts';
import type { DeviceSupply } from '../../gpu/supply.ts';
import { withAdjustment } from '../../train/adjustments.ts';
import type { Checkpoint } from '../../train/checkpoint.ts';
import type { SessionConfig } from '../../train/config.ts';
import type { Fork } from '../../train/fork.ts';
import { Session, type Answer } from '../../train/session.ts';
import type { RunChanges, RunConfig, RunStart, RunWeights } from '../api.ts';
import type { EventSender } from '../events.ts';
import type { Evaluated } from '../inspect/samples.ts';
import type { Keeping } from './keeping.ts';
import { sameRun, type RunSettings } from './run-settings.ts';
import { MOVING, RunTeller, SessionTeller } from './run-teller.ts';
import { HeldStart } from './starts.ts';

const archiving = lazily(() => import('../runs/archive.ts'));

export interface RunsOptions {
  supply: DeviceSupply;
  events: EventSender;
  settings: RunSettings;
  /** Where runs are kept. */
  keeping: Keeping;
}

interface Run {
  session: Session;
  config: RunConfig;
}

export class Runs {
  private run: Run | undefined;
  /** The last command; each one waits until those before it have begun their work. */
  private turn: Promise<unknown> = Promise.resolve();
  private readonly teller: RunTeller;
  /** What a run can begin with. */
  readonly starts = new HeldStart();

  constructor(private readonly options: RunsOptions) {
    this.teller = new RunTeller(options.events, options.keeping);
  }

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
      else {
        if (run.config.start && !run.session.config.fork) throw lost(run.config.start);
        run.session.restart();
      }
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
    const { evaluated } = this.teller;
    if (evaluated) return evaluated;
    throw new Failure(
      'not-found',
      'The model was not tested yet in this visit.',
      'Test it now, or train to the end of an epoch.',
    );
  }

  /** The model's weights as a file. @throws Failure `not-found` before the first run */
  async weights(): Promise<RunWeights> {
    const { writeWeights } = await archiving();
    const { session, id: runId } = this;
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
      this.teller.tellEvaluation(this.id, session.steps, session.epochs, evaluation);
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

  /**
   * Goes on with a run that is kept, also of an earlier visit. Answers what it was started with.
   * @throws Failure `not-found`, `bad-file` or `storage` if it is not there, `bad-input` if its data are others now
   */
  resume(id: string): Promise<RunConfig> {
    return this.inTurn(async () => {
      const { keeping, settings } = this.options;
      const kept = await keeping.take(id);
      const dataset = await settings.dataset(kept.dataset.name);
      await keeping.requireSame(kept, dataset);
      return this.continueFrom(kept, kept.run, dataset);
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
  adjust({ stops, augmentation, ...rates }: RunChanges): Promise<RunConfig> {
    return this.inTurn(() => {
      const { run } = this;
      if (!run?.session.isOpen) throw new Failure('not-found', 'There is no run to change.');
      if (stops) run.session.restAt(stops);
      const varied = augmentation ? { augmentation } : {};
      const changes = { ...rates, ...varied };
      if (Object.keys(changes).length > 0) run.session.adjust(changes);
      const optimizer = { ...run.config.optimizer, ...rates };
      run.config = { ...run.config, optimizer, ...varied, ...(stops ? { stops } : {}) };
      return run.config;
    });
  }

  /**
   * Holds what the run has learnt, for one that begins with it: `start` of its settings then has this id. The run rests.
   * Answers its step.
   * @throws Failure `not-found` if there is nothing yet
   */
  holdWeights(id: string): Promise<number> {
    return this.inTurn(async () => {
      const { session } = this;
      await session.pause();
      const { checkpoint } = session;
      if (!checkpoint) throw new Failure('not-found', 'The run has learnt nothing to go on from yet.');
      this.starts.hold(id, checkpoint);
      return checkpoint.step;
    });
  }

  /** The number of the run that the page sees. */
  get id(): number {
    return this.teller.runId;
  }

  /** The open run's session, or that of a new run if there is none with these settings. */
  private async open(config: RunConfig): Promise<Session> {
    const { run: before } = this;
    if (before?.session.isOpen && sameRun(before.config, config)) return before.session;
    const made = await this.options.settings.of(config);
    return this.take(config, { ...made, ...(config.start ? { fork: this.forkOf(config.start, made) } : {}) });
  }

  /** @throws Failure `not-found` if what it begins with is not here, `bad-input` if that does not fit */
  private forkOf(start: RunStart, config: SessionConfig): Fork {
    const { run: before } = this;
    const again = before?.config.start?.id === start.id ? before.session.config.fork : undefined;
    const fork = again ?? this.starts.find(start.id, config);
    if (!fork) throw lost(start);
    return fork;
  }

  private async continueFrom(
    checkpoint: Checkpoint,
    config: RunConfig,
    dataset: Dataset,
  ): Promise<RunConfig> {
    const made = await this.options.settings.resumed(checkpoint, dataset);
    (await this.take(config, made, checkpoint)).train();
    return config;
  }

  /** The new run can be refused until here; then the old one stays. @param from what it goes on from */
  private async take(config: RunConfig, made: SessionConfig, from?: Checkpoint): Promise<Session> {
    const named = { config };
    const teller = new SessionTeller(this.teller, named, made.dataset, from);
    const session = new Session(made, this.options.supply, teller);
    await this.run?.session.close();
    this.run = Object.assign(named, { session });
    teller.begin();
    return session;
  }

  private inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }
}

const lost = ({ name, step }: RunStart): Failure =>
  new Failure(
    'not-found',
    `The weights of ${name}, step ${step}, with which the run began, are not here any more.`,
    'Fork a run on the Runs screen that has its weights, or begin with drawn ones. A run that rests can go on as it is.',
  );
