/**
 * One network on one device, ready to train, evaluate and predict: all its plans are compiled, all its memory is
 * allocated. The caller chooses each step's samples and learning rate; a step is one execution of a plan.
 */
import { assert } from '../base/assert.ts';
import { OnDemand, owning, type Owned } from '../base/owned.ts';
import { lazily } from '../base/lazily.ts';
import { Failure } from '../base/result.ts';
import { showShape, type Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import { Readback } from '../gpu/readback.ts';
import { moveAverage } from './average/index.ts';
import { lookAhead } from './average/lookahead.ts';
import { createRing, gathered } from './batch.ts';
import type { Layout } from './dispatch.ts';
import { Evaluator, type SetResults } from './evaluation.ts';
import type { Inspector } from './inspect.ts';
import { ForwardPass } from './forward-pass.ts';
import type { Histograms } from './histograms.ts';
import type { Views } from './gather/index.ts';
import { gradientFactors } from './gradients/index.ts';
import { activationLayout } from './layout.ts';
import { softmaxCrossEntropy } from './loss/index.ts';
import { MetricsRing, type StepMetrics } from './metrics-ring.ts';
import { requireMixed, type MixedPrecision } from './mixed.ts';
import { buildBackward, buildForward, inferShapes, layoutParameters, type Layer } from './network.ts';
import type { blockTable } from './optimizers/block-table.ts';
import { treatsAllAlike, type Optimizer, type OptimizerSettings } from './optimizers/optimizer.ts';
import { ParameterStore } from './parameters.ts';
import { withChoices, withChoicesFor, type ConvChoices } from './ops/conv/choice/layers.ts';
import { PlanBuilder, type Plan, type StepRing } from './plan.ts';
import { DeviceSamples, normalisedImage, type Normalisation, type SampleSet } from './samples.ts';
import type { BatchTensors, SeenBatch } from './seen.ts';
import { packStep, type StepFields } from './step.ts';

export interface TrainerOptions {
  layers: readonly Layer[];
  /** [C, H, W] */
  input: Shape;
  classes: number;
  batchSize: number;
  optimizer: Optimizer;
  /** Settings that are fixed in the plan; the others come with every step. */
  settings: OptimizerSettings;
  normalisation: Normalisation;
  train: SampleSet;
  validation?: SampleSet;
  test?: SampleSet;
  /** 0 to 1, default 0: the share of the target probability that is spread over all classes. Not used in evaluation. */
  labelSmoothing?: number;
  /** The weight of an image in the loss, by its class. Default: 1. Not used in evaluation. */
  classWeights?: readonly number[] | undefined;
  /** Gradients with a larger norm, over all parameters, are scaled down to it. Default: none. */
  clipNorm?: number;
  /** Views of each image in evaluations, whose logits are averaged. Default 1. */
  views?: Views;
  /** Steps measure more than loss and accuracy, in three dispatches: see measures.ts. Default: no. */
  measures?: boolean;
  /** The precision of stored activations and their gradients. Default: 32 bits, without loss scaling. */
  mixed?: MixedPrecision;
  /**
   * Averages of parameters and buffers to evaluate, predict and save with, instead of those themselves: moving ones, or the
   * slow weights of lookahead. Default: none.
   */
  averages?: 'moving' | 'lookahead' | undefined;
  /**
   * Bytes for the tensors of a training step. If they need more, as few as necessary are recomputed in the backward
   * pass, to the same bits. 0: as few bytes as possible. Default: no limit.
   */
  activationLimit?: number;
  /** How convolutions are computed. Default: predicted. */
  choices?: ConvChoices;
  /** Sets the parameters, while kernels are compiled. Default: nothing does, and they are zero. */
  start?(parameters: ParameterStore): Promise<void>;
}

export type ImageSplit = 'train' | 'validation' | 'test';

/** A training step: its samples and the optimiser's settings. */
export type TrainStep = Omit<StepFields, 'metricsSlot'>;

export type { StepMetrics } from './metrics-ring.ts';

const inspecting = lazily(() => import('./inspect.ts'));
const seeing = lazily(() => import('./seen.ts'));
const counting = lazily(() => import('./histograms.ts'));

/** The name of a training step's plan. */
export const STEP = 'step';
/** The most steps in one submit. */
export const MAX_STEPS = 64;

/** The parts of a trainer. */
interface TrainerParts {
  parameters: ParameterStore;
  readback: Readback;
  samples: Readonly<{ train: DeviceSamples } & Partial<Record<ImageSplit, DeviceSamples>>>;
  /** Per-step data of one submit. */
  ring: StepRing;
  metrics: MetricsRing;
  /** The training step. */
  plan: Plan;
  /** The batch of the last step. */
  batch: BatchTensors;
  predictor: ForwardPass;
  owned: Owned;
}

export class Trainer {
  readonly parameters: ParameterStore;
  readonly readback: Readback;
  private steps = 0;
  private readonly evaluators = {
    train: this.evaluatorOf('train'),
    validation: this.evaluatorOf('validation'),
    test: this.evaluatorOf('test'),
  };
  private readonly slots: DataView<ArrayBuffer>;
  private readonly inspection = new OnDemand(async () => {
    const { device, options, parameters, readback } = this;
    const layers = (shape: Shape) => forwardLayers(device, options, shape);
    const { Inspector } = await inspecting();
    return Inspector.create(device, { layers, input: options.input, ...parameters.forInference }, readback);
  });
  private readonly seen = new OnDemand(async () => {
    const { SeenBatch } = await seeing();
    return SeenBatch.create(this.device, this.parts.plan, this.parts.batch, this.readback);
  });
  private readonly counts = new OnDemand(async () => {
    const { device, options, parameters, readback } = this;
    const { Histograms } = await counting();
    return Histograms.create(device, {
      layers: (shape) => forwardLayers(device, options, shape),
      input: options.input,
      parameters,
      samples: this.parts.samples.train,
      readback,
      within: this.parts.plan,
    });
  });
  private lastStep: TrainStep | undefined;

  private constructor(
    readonly device: Device,
    readonly options: TrainerOptions,
    private readonly parts: TrainerParts,
  ) {
    this.parameters = parts.parameters;
    this.readback = parts.readback;
    this.slots = new DataView(new ArrayBuffer(MAX_STEPS * parts.ring.slotBytes));
  }

  /** Compiles everything. Frees what was allocated if something fails. */
  static async create(device: Device, options: TrainerOptions): Promise<Trainer> {
    const { batchSize, input, optimizer, choices, averages, mixed, normalisation } = options;
    if (mixed) requireMixed(device, mixed);
    const layers = choices ? withChoices(options.layers, choices) : options.layers;
    const shapes = inferShapes(layers, [batchSize, ...input]);
    const output = shapes[shapes.length - 1].output;
    if (output.length !== 2 || output[1] !== options.classes) {
      throw new Failure(
        'bad-input',
        `the model outputs ${showShape(output)}; ${options.classes} classes were expected`,
      );
    }
    return owning(async (owned) => {
      const { own } = owned;
      const readback = own(new Readback(device));
      const layout = layoutParameters(shapes);
      const number = mixed?.number ?? 'f32';
      const order = choices
        ? (choices.layout ?? 'nchw')
        : activationLayout(device, layers, [batchSize, ...input], number);
      const parameters = own(
        await ParameterStore.create(device, layout, optimizer, {
          averages: averages !== undefined,
          ...(mixed ? { lossScale: mixed.scaling.initial } : {}),
          ...(mixed || order === 'nhwc' ? { copy: { type: number, layout: order } } : {}),
        }),
      );
      const images = { shape: input, normalisation };
      const upload = async (name: ImageSplit, set: SampleSet) =>
        own(await DeviceSamples.upload(device, { ...images, name, set }));
      const train = await upload('train', options.train);
      const validation = options.validation && (await upload('validation', options.validation));
      const test = options.test && (await upload('test', options.test));
      const ring = await createRing(device, batchSize, MAX_STEPS);
      own(ring.buffer);
      const { measures = false } = options;
      const metrics = own(await MetricsRing.create(device, { batchSize, layout, measures }));

      await optimizer.fetch?.();
      const { blockTable: tableOf } = treatsAllAlike(optimizer, options.settings)
        ? { blockTable: undefined }
        : await import('./optimizers/block-table.ts');
      const step = await buildStep(device, options, { layers, order, parameters, train, metrics, tableOf });
      // Then all kernels are asked for before the parameters are set.
      await device.kernels.fetch(step.builder.kernels);
      const compiled = [
        step.builder.compile(ring, { limit: options.activationLimit }).then(own),
        ForwardPass.create(device, {
          name: 'prediction',
          layers: forwardLayers(device, options, [1, ...input]),
          input: [1, ...input],
          state: parameters.forInference,
          readback,
        }).then(own),
      ] as const;
      // The device compiles meanwhile: to draw the weights of a large network takes as long. Browsers send it what it is asked
      // for when a task is over.
      const started = options.start && nextTask().then(() => options.start?.(parameters));
      // If one fails, the others may still complete and must be freed.
      await Promise.allSettled([...compiled, started]);
      const [plan, predictor] = await Promise.all([...compiled, started]);
      const samples = { train, validation, test };
      const { batch } = step;
      return new Trainer(device, options, {
        parameters,
        readback,
        samples,
        ring,
        metrics,
        plan,
        batch,
        predictor,
        owned,
      });
    });
  }

  /** The plan of a training step, for profiles. Running it repeats the step in the ring's first slot. */
  get plan(): Plan {
    return this.parts.plan;
  }

  /**
   * Submits training steps in one compute pass; does not wait for them.
   * @param steps at most MAX_STEPS
   */
  submit(steps: readonly TrainStep[]): void {
    const { device } = this;
    const { ring, metrics, plan } = this.parts;
    device.requireAlive();
    if (steps.length === 0 || steps.length > MAX_STEPS)
      throw new Error(`wgrad bug: ${steps.length} steps in one submit`);
    steps.forEach((step, i) => {
      const metricsSlot = metrics.slotOf(this.steps + i);
      packStep(this.slots, i * ring.slotBytes, { ...step, metricsSlot });
    });
    metrics.clear(this.steps, steps.length);
    device.queue.writeBuffer(ring.buffer.raw, 0, this.slots.buffer, 0, steps.length * ring.slotBytes);
    const encoder = device.raw.createCommandEncoder();
    const pass = encoder.beginComputePass({ label: 'training steps' });
    steps.forEach((_, i) => plan.encode(pass, i * ring.slotBytes));
    pass.end();
    device.queue.submit([encoder.finish()]);
    this.steps += steps.length;
    this.lastStep = steps[steps.length - 1];
  }

  /** The metrics of the last `count` submitted steps, oldest first. Waits for them. */
  async readMetrics(count: number): Promise<StepMetrics[]> {
    if (count > this.steps) throw new Error(`wgrad bug: metrics of ${count} steps`);
    return this.parts.metrics.read(this.readback, this.steps - count, count);
  }

  /** The network's loss and predictions over a whole set. */
  async evaluate(split: ImageSplit): Promise<SetResults> {
    const started = await this.startEvaluation(split, () => true);
    assert(started !== undefined, 'an evaluation that nobody ended has no end');
    return started.results;
  }

  /**
   * Submits an evaluation without waiting for its results: steps can be submitted meanwhile.
   * @param shouldContinue called now and then; if it returns false, the evaluation ends early
   * @returns undefined if it ended early
   */
  async startEvaluation(
    split: ImageSplit,
    shouldContinue: () => boolean,
  ): Promise<{ results: Promise<SetResults> } | undefined> {
    const { options, readback } = this;
    const set = options[split];
    if (!set) throw new Failure('not-found', `there is no ${split} set to evaluate on`);
    const evaluator = await this.evaluators[split].get();
    if (!(await evaluator.submit(shouldContinue))) return undefined;
    const results = evaluator.results(readback, set.labels, options.classes);
    // Its failure is handled when it is awaited.
    results.catch(() => undefined);
    return { results };
  }

  /**
   * The network's prediction for one image: probabilities of the classes.
   * @param image C x H x W bytes
   */
  async predict(image: Uint8Array): Promise<Float32Array<ArrayBuffer>> {
    return this.parts.predictor.probabilities(this.normalised(image));
  }

  /** The network's inspector, created on first use. */
  inspector(): Promise<Inspector> {
    return this.inspection.get();
  }

  /** The network's histograms, created on first use. They count when they are asked. */
  histograms(): Promise<Histograms> {
    return this.counts.get();
  }

  /**
   * The batch of the last submitted step; undefined before the first. The caller makes its copy.
   */
  async seenBatch(): Promise<SeenBatch | undefined> {
    return this.steps === 0 ? undefined : this.seen.get();
  }

  /** The last submitted step; undefined before the first. */
  get last(): TrainStep | undefined {
    return this.lastStep;
  }

  /**
   * An image as the network's input.
   * @param image C x H x W bytes
   * @throws Failure('bad-input') if its size differs
   */
  normalised(image: Uint8Array): Float32Array<ArrayBuffer> {
    const { input, normalisation } = this.options;
    return normalisedImage(image, input, normalisation);
  }

  destroy(): void {
    const { owned } = this.parts;
    const { inspection, seen, counts, evaluators } = this;
    for (const thing of [owned, inspection, seen, counts, ...Object.values(evaluators)]) thing.destroy();
  }

  private evaluatorOf(split: ImageSplit): OnDemand<Evaluator> {
    return new OnDemand(() => {
      const { device, options, parameters } = this;
      const { samples, plan, metrics } = this.parts;
      return Evaluator.create(device, {
        input: options.input,
        parameters,
        samples: samples[split] as DeviceSamples,
        views: options.views ?? 1,
        within: plan,
        layers: (input) => forwardLayers(device, options, input),
        metrics: metrics.tensor,
        slot: MetricsRing.SPARE,
      });
    });
  }
}

interface StepParts {
  layers: readonly Layer[];
  /** The layout of activations. */
  order: Layout;
  parameters: ParameterStore;
  train: DeviceSamples;
  metrics: MetricsRing;
  /** Absent if the optimiser treats all parameters alike. */
  tableOf: typeof blockTable | undefined;
}

/** A training step: gather the batch, forward, loss, backward, clip, update. */
async function buildStep(
  device: Device,
  {
    batchSize,
    input,
    optimizer,
    settings,
    labelSmoothing = 0,
    classWeights,
    clipNorm,
    averages,
    mixed,
  }: TrainerOptions,
  { layers, order, parameters, train, metrics, tableOf }: StepParts,
): Promise<{ builder: PlanBuilder; batch: BatchTensors }> {
  const builder = new PlanBuilder(device, STEP);
  const { flat, copied, scaling } = parameters;
  const batch = gathered(builder, train, [batchSize, ...input], {
    augmented: true,
    number: mixed?.number,
    layout: order,
  });
  // Kept until the next step, for SeenBatch.
  for (const tensor of [batch.x, ...Object.values(batch.labels)]) builder.keep(tensor);

  builder.during({ pass: 'update' }, () => parameters.copy(builder));
  const { freeze } = settings;
  const pass = { ...parameters.trained, copied, training: true, freeze, fuseSums: true };
  const forward = await buildForward(builder, layers, batch.x, pass);
  const gradient = builder.tensor('logits dx', forward.logits.shape, forward.logits.type);
  softmaxCrossEntropy(builder, {
    logits: forward.logits,
    ...batch.labels,
    metrics: metrics.tensor,
    gradient,
    smoothing: labelSmoothing,
    weights: classWeights,
    scaling,
  });
  buildBackward(builder, forward, gradient, parameters.gradient);

  builder.during({ pass: 'update' }, () => {
    const matrices = optimizer.matrices?.(parameters.layout.entries) ?? [];
    const blocks = tableOf?.(builder, parameters.layout, settings, matrices);
    const measureUpdate = metrics.plan(builder, { ...flat, scaling, blocks });
    const patience = mixed?.scaling.patience;
    const factors = gradientFactors(builder, flat.gradients, { clipNorm, scaling, patience, blocks });
    const faults = metrics.faultsTensor;
    optimizer.plan(builder, { ...flat, blocks, matrices, factors, faults }, settings);
    measureUpdate();
    for (const { values, average, entries } of parameters.averaged) {
      if (averages === 'lookahead') lookAhead(builder, values, average, entries);
      else moveAverage(builder, values, average);
    }
  });
  return { builder, batch };
}

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** The layers for a forward pass over any number of images. */
const forwardLayers = (
  device: Device,
  { layers, choices, mixed }: TrainerOptions,
  input: Shape,
): readonly Layer[] => (choices ? withChoicesFor(device, layers, input, choices, mixed?.number) : layers);
