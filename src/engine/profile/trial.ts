/** A network that trains on synthetic images, to measure its steps without touching any run. */
import { checkAugmentation, NO_AUGMENTATION, type Augmentation } from '../../base/augmentation.ts';
import { Random } from '../../base/random.ts';
import { elements, type Shape } from '../../base/shape.ts';
import type { Device } from '../../gpu/device.ts';
import type { Layer } from '../graph.ts';
import type { MixedPrecision } from '../mixed.ts';
import type { ConvChoices } from '../ops/conv/choice/layers.ts';
import type { Optimizer, OptimizerSettings } from '../optimizers/optimizer.ts';
import { optimizers } from '../optimizers/registry.ts';
import { MAX_STEPS, Trainer } from '../trainer.ts';

export interface TrialNetwork {
  layers: readonly Layer[];
  /** [C, H, W] */
  input: Shape;
  classes: number;
}

export interface TrialOptions {
  batchSize: number;
  /** A registered optimiser's name. */
  optimizer: string;
  /** How convolutions are computed. Default: predicted. */
  choices?: ConvChoices;
  /** The precision of stored activations. Default: 32 bits. */
  mixed?: MixedPrecision;
  /** The augmentation of images. Default: none. */
  augmentation?: Augmentation;
}

/** The number of batches that have images. The time of a step does not depend on their content. */
const BATCHES = 4;
/** Small, so that values stay finite however many steps run. */
const LEARNING_RATE = 1e-6;

export class Trial {
  private steps = 0;

  private constructor(
    readonly trainer: Trainer,
    private readonly optimizer: Optimizer,
    private readonly settings: OptimizerSettings,
    private readonly augmentation: Augmentation,
  ) {}

  static async open(device: Device, network: TrialNetwork, options: TrialOptions): Promise<Trial> {
    const { layers, input, classes } = network;
    const { batchSize, choices, mixed, augmentation = NO_AUGMENTATION } = options;
    checkAugmentation(augmentation, input);
    const optimizer = optimizers.get(options.optimizer);
    const settings = { ...optimizer.defaults, lr: LEARNING_RATE };
    const random = new Random(1, 'trial');
    const count = BATCHES * batchSize;
    const train = {
      images: Uint8Array.from({ length: count * elements(input) }, () => random.below(256)),
      labels: Uint8Array.from({ length: count }, () => random.below(classes)),
      count,
    };
    const each = (value: number) => new Array<number>(input[0]).fill(value);
    const trainer = await Trainer.create(device, {
      layers,
      input,
      classes,
      batchSize,
      optimizer,
      settings,
      train,
      normalisation: { mean: each(0.5), std: each(0.25) },
      choices,
      mixed,
    });
    trainer.parameters.initialize(1);
    return new Trial(trainer, optimizer, settings, augmentation);
  }

  /** Submits steps as training does, all in one submit. @param count at most MAX_STEPS */
  submit(count: number): void {
    const { batchSize } = this.trainer.options;
    const { mixup, ...augmented } = this.augmentation;
    this.trainer.submit(
      Array.from({ length: count }, () => {
        const first = (this.steps % BATCHES) * batchSize;
        const indices = Uint32Array.from({ length: batchSize }, (_, i) => first + i);
        return {
          ...this.optimizer.stepFields(++this.steps, this.settings),
          indices,
          seed: this.steps,
          ...augmented,
          ...(mixup > 0 ? { mix: 0.5 } : {}),
        };
      }),
    );
  }

  /** Submits steps and resolves when they are done. */
  run(count: number): Promise<void> {
    this.submit(count);
    return this.trainer.device.idle();
  }

  destroy(): void {
    this.trainer.destroy();
  }
}

export interface StepTimes {
  /** Milliseconds per step, one value per chunk; fewer than requested if it was cancelled. */
  samples: number[];
  /** Steps in each chunk. */
  repetitions: number;
}

/** Unmeasured chunks first; on GPUs more, until the GPU's clock and the JavaScript engine are up to speed. */
const WARM_UP = 3;
const WARM_UP_MS = 1500;
const CHUNK_MS = 20;

/** Steps that take about as long as a chunk. */
const fitting = (stepMs: number): number => Math.max(1, Math.min(MAX_STEPS, Math.round(CHUNK_MS / stepMs)));

/**
 * Wall-clock time of many steps in a row, in chunks of about 20 ms, with one more chunk always in flight, as in
 * training.
 * @param shouldContinue called between chunks; returning false stops
 */
export async function timeSteps(
  trial: Trial,
  samples: number,
  shouldContinue: () => boolean = () => true,
): Promise<StepTimes> {
  const run = (steps: number) => ({ steps, done: trial.run(steps) });
  await trial.run(1);
  const start = performance.now();
  await trial.run(1);
  let last = performance.now();
  let repetitions = fitting(last - start);
  const measured: number[] = [];
  let ahead = run(repetitions);
  const { onProcessor } = trial.trainer.device;
  const warm = last + (onProcessor ? 0 : WARM_UP_MS);
  for (let chunk = 0; measured.length < samples && shouldContinue(); chunk++) {
    const next = run(repetitions);
    await ahead.done;
    const now = performance.now();
    const stepMs = (now - last) / ahead.steps;
    if (chunk >= WARM_UP && last >= warm) measured.push(stepMs);
    // A single step takes longer than one of many: with chunks that are too short, the GPU would wait for the next one.
    else repetitions = fitting(stepMs);
    ahead = next;
    last = now;
  }
  await ahead.done;
  return { samples: measured, repetitions };
}
