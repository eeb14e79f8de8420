/**
 * A network with its data and settings, for Doctor's checks. Checks train it for a few steps, always on
 * a separate copy, from the same weights as the run: random ones of its seed, or those that it is to start from.
 */
import { Random } from '../../base/random.ts';
import { Failure } from '../../base/result.ts';
import { elements } from '../../base/shape.ts';
import type { ImageSet } from '../../data/dataset.ts';
import type { Layer } from '../../engine/graph.ts';
import { chooseAll } from '../../engine/ops/conv/choice/layers.ts';
import { optimizers } from '../../engine/optimizers/registry.ts';
import { inferShapes, layoutParameters } from '../../engine/network.ts';
import { stateDictOf, type StateDict } from '../../engine/parameters.ts';
import { Trainer, type StepMetrics, type TrainStep } from '../../engine/trainer.ts';
import type { Device } from '../../gpu/device.ts';
import type { RunSettings } from '../../run/settings/table.ts';
import { stepSeed } from '../batches.ts';
import { fitConfig, type TrainingConfig } from '../config.ts';
import { setInitial } from '../initial.ts';
import { guessingLoss } from '../learning-watch.ts';
import { TRY_STEPS, tryRates, type RateTries } from '../rescue.ts';

export interface PatientConfig extends Pick<
  TrainingConfig,
  keyof RunSettings | 'model' | 'dataset' | 'initial' | 'fork'
> {
  /** Trained parameters, for the checks of a trained network. */
  weights?: StateDict;
}

/** Parameters before and after a step. */
export interface Change {
  before: StateDict;
  after: StateDict;
}

/** A few steps of training. */
export interface ShortRun {
  batchSize: number;
  /** Mean loss of each step, before its update. Stops early if one is not finite. */
  losses: number[];
  /** What the first step and the last one changed. */
  first: Change;
  last: Change;
}

/** A step of a short run takes this many images at most: it is to be short on any machine. */
const BATCH = 32;
/** Steps of a short run. */
const STEPS = 32;
/** Steps that are submitted together. */
const TOGETHER = 4;

export class Patient {
  /** With the model fitted to the images. */
  readonly config: PatientConfig;
  private seeing: Promise<ShortRun> | undefined;
  private blind: Promise<ShortRun> | undefined;

  /** @throws Failure `bad-input` if model, data and settings do not fit together */
  constructor(
    readonly device: Device,
    config: PatientConfig,
    private readonly shouldContinue: () => boolean = () => true,
  ) {
    this.config = withInitial(fitConfig(config));
  }

  /** @throws Failure `cancelled` if the checks were stopped */
  requireTime(): void {
    if (!this.shouldContinue()) throw new Failure('cancelled', 'Stopped.');
  }

  /** Random training images from the seed, or all if there are fewer. @param stream names the random stream */
  sample(count: number, stream: string): ImageSet {
    const { dataset, seed } = this.config;
    const { train } = dataset;
    const size = elements(dataset.shape);
    const order = new Random(seed, `doctor ${stream}`).permutation(train.count).subarray(0, count);
    const images = new Uint8Array(order.length * size);
    order.forEach((at, i) => images.set(train.images.subarray(at * size, (at + 1) * size), i * size));
    return { images, labels: Uint8Array.from(order, (at) => train.labels[at]), count: order.length };
  }

  /** A network with initial weights, in a trainer that is destroyed after `work`. */
  async withTrainer<T>(
    samples: ImageSet,
    batchSize: number,
    work: (trainer: Trainer) => Promise<T>,
    layers: readonly Layer[] = this.config.model.layers,
  ): Promise<T> {
    const { config } = this;
    const { model, dataset } = config;
    const trainer = await Trainer.create(this.device, {
      layers,
      input: model.input,
      classes: model.classes,
      batchSize,
      settings: config,
      train: samples,
      optimizer: optimizers.get(config.optimizer),
      normalisation: dataset,
      choices: chooseAll(this.device, layers, [batchSize, ...model.input], {
        algorithm: config.convAlgorithm,
      }),
    });
    try {
      await setInitial(trainer.parameters, config);
      return await work(trainer);
    } finally {
      trainer.destroy();
    }
  }

  /**
   * Trains with the patient's optimiser and settings, at the initial learning rate.
   * @param first the number of the first step, from 0
   * @param batch the samples of a step
   * @param stop called with each step's metrics; returning true stops
   */
  async train(
    trainer: Trainer,
    { first = 0, steps }: { first?: number; steps: number },
    batch: (step: number) => Uint32Array,
    stop: (metrics: StepMetrics, step: number) => boolean,
  ): Promise<void> {
    for (let done = 0; done < steps;) {
      this.requireTime();
      const count = Math.min(TOGETHER, steps - done);
      trainer.submit(
        Array.from({ length: count }, (_, i) => this.step(first + done + i, batch(first + done + i))),
      );
      const metrics = await trainer.readMetrics(count);
      for (const [i, one] of metrics.entries()) if (stop(one, first + done + i)) return;
      done += count;
    }
  }

  private step(step: number, indices: Uint32Array, lr = this.config.lr): TrainStep {
    const { optimizer, seed } = this.config;
    const fields = optimizers.get(optimizer).stepFields(step + 1, { ...this.config, lr });
    return { ...fields, indices, seed: stepSeed(seed, step) };
  }

  /** Tries learning rates on all of these images, from the initial weights. */
  tryRates(samples: ImageSet, rates: readonly number[]): Promise<RateTries> {
    const { config } = this;
    const indices = Uint32Array.from({ length: samples.count }, (_, i) => i);
    const guessing = guessingLoss(samples.labels, config.model.classes);
    return this.withTrainer(samples, samples.count, (trainer) => {
      const reset = () => {
        this.requireTime();
        return setInitial(trainer.parameters, config);
      };
      const stepsAt = (lr: number) => Array.from({ length: TRY_STEPS }, (_, i) => this.step(i, indices, lr));
      return tryRates(trainer, rates, guessing, reset, stepsAt);
    });
  }

  /** The first steps of a run, on real images. Trained once and shared by all checks. */
  shortRun(): Promise<ShortRun> {
    return (this.seeing ??= this.run((samples) => samples));
  }

  /** The same steps on blank images: every pixel is its channel's mean, which normalises to 0. */
  blindRun(): Promise<ShortRun> {
    const { shape, mean } = this.config.dataset;
    const [, height, width] = shape;
    const blank = Uint8Array.from({ length: elements(shape) }, (_, i) =>
      Math.round(255 * mean[Math.floor(i / (height * width))]),
    );
    return (this.blind ??= this.run(({ images, ...rest }) => ({
      ...rest,
      images: images.map((_, i) => blank[i % blank.length]),
    })));
  }

  private run(change: (samples: ImageSet) => ImageSet): Promise<ShortRun> {
    const batchSize = Math.min(BATCH, this.config.batchSize, this.config.dataset.train.count);
    const samples = change(this.sample(batchSize * STEPS, 'short run'));
    const batch = (step: number) =>
      Uint32Array.from({ length: batchSize }, (_, i) => (step * batchSize + i) % samples.count);
    return this.withTrainer(samples, batchSize, async (trainer) => {
      const losses: number[] = [];
      const note = ({ loss }: StepMetrics) => {
        losses.push(loss);
        return !Number.isFinite(loss);
      };
      const state = () => trainer.parameters.stateDict(trainer.readback);
      const step = async (at: number): Promise<Change> => {
        const before = await state();
        if (losses.length === at) await this.train(trainer, { first: at, steps: 1 }, batch, note);
        return { before, after: await state() };
      };
      const first = await step(0);
      await this.train(trainer, { first: 1, steps: STEPS - 2 }, batch, note);
      return { batchSize, losses, first, last: await step(STEPS - 1) };
    });
  }
}

/** A run that starts from trained weights has them as its initial ones, as they were trained: not their average. */
function withInitial({ fork, ...config }: PatientConfig): PatientConfig {
  if (!fork) return config;
  const { model } = config;
  const layout = layoutParameters(inferShapes(model.layers, [1, ...model.input]));
  const { parameters, buffers } = fork.snapshot;
  return { ...config, initial: stateDictOf(layout, { parameters, buffers }) };
}

export const meanOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
