/** A run's progress: the steps done, its history, and the last checkpoint of the persistent state. */
import type { Evaluation, StepRow } from '../run/metrics/rows.ts';
import type { SetResults } from '../engine/evaluation.ts';
import type { ConvChoices } from '../engine/ops/conv/choice/layers.ts';
import type { ParameterStore } from '../engine/parameters.ts';
import type { Trainer } from '../engine/trainer.ts';
import type { Adjustment } from '../run/settings/adjustments.ts';
import { storedConfig, type Checkpoint } from './checkpoint.ts';
import { classWeightsOf } from './class-weights.ts';
import type { TrainingConfig } from './config.ts';
import { newHistory, withEvaluation, type History } from './history.ts';
import { guessingLoss, LearningWatch, type Trouble } from './learning-watch.ts';
import type { StepInputs } from './step-inputs.ts';
import { stopReason } from '../run/stops.ts';
import { setStart } from './initial.ts';

/** A network's results on the images that it does not train on. */
export interface EpochResults {
  test: SetResults;
  /** If images are held back. */
  validation?: SetResults | undefined;
}

export const scoresOf = ({ test, validation }: EpochResults) => ({
  testLoss: test.loss,
  testAccuracy: test.accuracy,
  ...(validation ? { validationLoss: validation.loss, validationAccuracy: validation.accuracy } : {}),
});

/** The parts of a checkpoint that change from one to the next. */
type Saved = Pick<Checkpoint, 'step' | 'epoch' | 'snapshot' | 'history'> & {
  adjustments: readonly Adjustment[];
};

export class Progress {
  /** Steps done. */
  step = 0;
  history: History = newHistory();
  private lastCheckpoint: Saved | undefined;
  /** The last checkpoint of a network that had learnt something, from which a run that no longer learns can be rescued. */
  private lastLearnt: Saved | undefined;
  private readonly watch: LearningWatch;

  constructor(
    private readonly config: TrainingConfig,
    private readonly inputs: StepInputs,
  ) {
    const { from, dataset, labelSmoothing } = config;
    const { labels } = dataset.train;
    const guessing = guessingLoss(labels, dataset.classes.length, labelSmoothing, classWeightsOf(config));
    this.watch = new LearningWatch(guessing, inputs.batches.stepsFor(1));
    this.lastCheckpoint = from && { ...from, adjustments: inputs.adjustments };
    if ((from?.history.loss ?? Infinity) < guessing) this.lastLearnt = this.lastCheckpoint;
    this.rollBack();
  }

  /** Whole epochs done. */
  get epochs(): number {
    return this.inputs.batches.epochsAfter(this.step);
  }

  /** The last step of the current epoch. */
  get epochEnd(): number {
    return this.stepsFor(this.epochs + 1);
  }

  stepsFor(epochs: number): number {
    return this.inputs.batches.stepsFor(epochs);
  }

  /** Why the run should stop at this step, for the user; undefined if it should not. */
  get stopReason(): string | undefined {
    const { evaluations } = this.history;
    if (evaluations.at(-1)?.step !== this.step) return undefined;
    return stopReason(this.inputs.settingsAt(this.step), evaluations);
  }

  /** See `guessingLoss`. */
  get guessing(): number {
    return this.watch.guessing;
  }

  /** Why it does not learn; undefined while it does, or while it is too early to tell. */
  get trouble(): Trouble | undefined {
    return this.watch.trouble(this.step);
  }

  /** Adds the losses of steps that belong to one epoch. */
  addSteps(rows: readonly StepRow[]): void {
    const before = rows[0].step - 1;
    const startsEpoch = before === this.stepsFor(this.inputs.batches.epochsAfter(before));
    const epoch = startsEpoch ? { loss: 0, steps: 0 } : { ...this.history.epoch };
    for (const { loss } of rows) epoch.loss += loss;
    epoch.steps += rows.length;
    this.watch.add(rows.map(({ loss }) => loss));
    this.history = { ...this.history, epoch, loss: rows[rows.length - 1].loss };
  }

  /** The epoch's evaluation is due; it stays so if it is cut short. */
  expectEvaluation(): void {
    this.history = { ...this.history, due: this.step };
  }

  get isEvaluationDue(): boolean {
    return this.history.due === this.step;
  }

  /** Adds the evaluation that the epoch ended with at `step`, before the losses of later steps. */
  addEvaluation(step: number, results: EpochResults): Evaluation {
    const { history } = this;
    const { confusion } = results.test;
    const epoch = this.inputs.batches.epochsAfter(step);
    const trainLoss = history.epoch.loss / history.epoch.steps;
    const evaluation = { step, epoch, trainLoss, ...scoresOf(results), confusion };
    const { due: _due, ...rest } = history;
    this.history = { ...rest, evaluations: withEvaluation(history.evaluations, evaluation) };
    return evaluation;
  }

  /** Whether the last checkpoint is that of the current step, with all changes of settings. */
  get isSaved(): boolean {
    const { step, history, lastCheckpoint: last } = this;
    return (
      last?.step === step && last.history.due === history.due && last.adjustments === this.inputs.adjustments
    );
  }

  /**
   * Starts to save the persistent state of this step. Later ones can be submitted once this resolves.
   * @param reported when the history has come to this step: only then is it known that the state is finite
   * @returns when the history may go on, and when it is saved
   */
  async startSave(
    { parameters, readback }: Trainer,
    reported: Promise<void> | undefined,
  ): Promise<{ noted: Promise<void>; saved: Promise<void> }> {
    const { step, epochs: epoch } = this;
    const { adjustments } = this.inputs;
    const noting = (async () => {
      await reported;
      return { history: structuredClone(this.history), hasLearnt: this.watch.hasLearnt };
    })();
    noting.catch(() => undefined);
    const { snapshot } = await parameters.startSnapshot(readback);
    const saved = (async () => {
      const { history, hasLearnt } = await noting;
      this.lastCheckpoint = { step, epoch, adjustments, history, snapshot: await snapshot };
      if (hasLearnt) this.lastLearnt = this.lastCheckpoint;
    })();
    return { noted: noting.then(() => undefined), saved };
  }

  /** The last checkpoint, with everything needed to resume from it elsewhere. */
  checkpoint(choices: ConvChoices | undefined): Checkpoint | undefined {
    return this.asCheckpoint(this.lastCheckpoint, choices);
  }

  /** The last one of a network that had learnt something. */
  learntCheckpoint(choices: ConvChoices | undefined): Checkpoint | undefined {
    return this.asCheckpoint(this.lastLearnt, choices);
  }

  private asCheckpoint(saved: Saved | undefined, choices: ConvChoices | undefined): Checkpoint | undefined {
    const { config } = this;
    if (!saved || !choices) return undefined;
    const { step, epoch, snapshot, history, adjustments } = saved;
    const { name, classes, mean, std, ground } = config.dataset;
    return {
      step,
      epoch,
      snapshot,
      history,
      config: { ...storedConfig(config), choices, adjustments },
      dataset: { name, classes, mean, std, ground },
    };
  }

  /** Back to step 0; the parameters follow by `restore`. */
  restart(): void {
    this.lastCheckpoint = undefined;
    this.lastLearnt = undefined;
    this.rollBack();
  }

  /** Back to the last checkpoint, or to step 0 if there is none; the next trainer starts there. */
  rollBack(): void {
    this.step = this.lastCheckpoint?.step ?? 0;
    this.history = structuredClone(this.lastCheckpoint?.history ?? newHistory());
    this.watch.restart();
  }

  /** The same, and sets these parameters to it. */
  async restore(parameters: ParameterStore): Promise<void> {
    if (this.lastCheckpoint) parameters.restore(this.lastCheckpoint.snapshot);
    else await setStart(parameters, this.config);
    this.rollBack();
  }
}
