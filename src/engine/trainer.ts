/**
 * One network on one device, ready to train, evaluate and answer: all its plans are compiled, all its memory is there.
 * Which samples a step takes and with what learning rate, the caller says; a step is a plan run once.
 */
import { lazily } from '../base/lazily.ts';
import { Failure } from '../base/result.ts';
import { showShape, type Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import type { GpuBuffer } from '../gpu/ledger.ts';
import { Readback } from '../gpu/readback.ts';
import { Answerer, normalisedImage } from './answerer.ts';
import { moveAverage } from './average/index.ts';
import { createRing, gathered } from './batch.ts';
import { Evaluator, type SetResults } from './evaluation.ts';
import { FaultRing, type Fault, type Slots } from './faults.ts';
import type { Inspector } from './inspect.ts';
import { gradientFactors, tellGradientNorm } from './gradients/index.ts';
import { METRICS_FLOATS, softmaxCrossEntropy } from './loss/index.ts';
import { requireMixed, type MixedPrecision } from './mixed.ts';
import { buildBackward, buildForward, inferShapes, layoutParameters, type Layer } from './network.ts';
import type { Optimizer, OptimizerSettings } from './optimizers/optimizer.ts';
import { decayTable } from './optimizers/update.ts';
import { ParameterStore } from './parameters.ts';
import { withChoices, withChoicesFor, type ConvChoices } from './ops/conv/choice/layers.ts';
import { placedIn, PlanBuilder, type Plan, type StepRing, type Tensor } from './plan.ts';
import { DeviceSamples, type Normalisation, type SampleSet } from './samples.ts';
import type { BatchTensors, SeenBatch } from './seen.ts';
import { packStep, type StepFields } from './step.ts';

export interface TrainerOptions {
  layers: readonly Layer[];
  /** [C, H, W] */
  input: Shape;
  classes: number;
  batchSize: number;
  optimizer: Optimizer;
  /** What is fixed in the plan is taken from here; the rest comes with every step. */
  settings: OptimizerSettings;
  normalisation: Normalisation;
  train: SampleSet;
  test?: SampleSet;
  /** 0 to 1, default 0: of the wanted probability, what all classes share. Evaluation is without it. */
  labelSmoothing?: number;
  /** Gradients with a larger norm, over all parameters, are scaled down to it. Default: none. */
  clipNorm?: number;
  /** Whether the metrics tell the gradients' norm, for two dispatches a step. Default: no. */
  gradientNorms?: boolean;
  /** How precisely activations and their gradients are stored. Default: in 32 bits, and the loss is not scaled. */
  mixed?: MixedPrecision;
  /** Whether averages of parameters and buffers are kept, to evaluate, answer and save with. Default: no. */
  averages?: boolean;
  /**
   * Bytes for the tensors of a training step. Where they take more, some are not kept for the backward pass but computed
   * again, bit for bit: as few as it takes. 0: as few bytes as can be. Default: no limit.
   */
  activationLimit?: number;
  /** How convolutions are computed; predicted otherwise. */
  choices?: ConvChoices;
}

export type Split = 'train' | 'test';

/** A training step: its samples, and what the optimiser reads. */
export type TrainStep = Omit<StepFields, 'metricsSlot'>;

export interface StepMetrics {
  /** Mean over the batch. */
  loss: number;
  /** 0 to 1, of the batch, before the step. */
  accuracy: number;
  /** Over all parameters and before any clipping; there where it was asked for. */
  gradientNorm?: number;
  /** What of it is not finite, beside the loss. */
  fault?: Fault;
}

const inspecting = lazily(() => import('./inspect.ts'));
const seeing = lazily(() => import('./seen.ts'));

/** The name of a training step's plan. */
export const STEP = 'step';
/** Steps that one submit can hold. */
export const MAX_STEPS = 64;
/** Steps whose metrics can wait to be read. */
const METRICS_SLOTS = 1024;
export class Trainer {
  private steps = 0;
  private readonly evaluators: Partial<Record<Split, Promise<Evaluator>>> = {};
  private readonly slots: DataView<ArrayBuffer>;
  private inspecting: Promise<Inspector> | undefined;
  private seeing: Promise<SeenBatch> | undefined;
  private lastStep: TrainStep | undefined;

  private constructor(
    readonly device: Device,
    readonly options: TrainerOptions,
    readonly parameters: ParameterStore,
    readonly readback: Readback,
    private readonly samples: Readonly<Partial<Record<Split, DeviceSamples>>>,
    private readonly ring: StepRing,
    private readonly metrics: GpuBuffer,
    private readonly norms: GpuBuffer | undefined,
    private readonly faults: FaultRing,
    private readonly trainPlan: Plan,
    private readonly batch: BatchTensors,
    private readonly answerer: Answerer,
  ) {
    this.slots = new DataView(new ArrayBuffer(MAX_STEPS * ring.slotBytes));
  }

  /** Compiles everything. What was made is given back if something fails on the way. */
  static async create(device: Device, options: TrainerOptions): Promise<Trainer> {
    const { batchSize, input, optimizer, settings, choices, labelSmoothing, clipNorm, averages, mixed } =
      options;
    if (mixed) requireMixed(device, mixed);
    const layers = choices ? withChoices(options.layers, choices) : options.layers;
    const shapes = inferShapes(layers, [batchSize, ...input]);
    const output = shapes[shapes.length - 1].output;
    if (output.length !== 2 || output[1] !== options.classes) {
      throw new Failure(
        'bad-input',
        `the model answers ${showShape(output)}; ${options.classes} classes were expected`,
      );
    }
    const made: { destroy(): void }[] = [];
    const own = <T extends { destroy(): void }>(thing: T): T => (made.push(thing), thing);
    try {
      const readback = own(new Readback(device));
      const parameters = own(
        await ParameterStore.create(device, layoutParameters(shapes), optimizer, {
          averages,
          ...(mixed ? { lossScale: mixed.scaling.initial, narrow: mixed.number } : {}),
        }),
      );
      const train = own(
        await DeviceSamples.upload(device, 'train', options.train, input, options.normalisation),
      );
      const test =
        options.test &&
        own(await DeviceSamples.upload(device, 'test', options.test, input, options.normalisation));
      const ring = await createRing(device, batchSize, MAX_STEPS);
      own(ring.buffer);
      // One more slot than steps write to: evaluation has its own.
      const metrics = own(await device.ledger.storage('metrics', (METRICS_SLOTS + 1) * METRICS_FLOATS * 4));
      const norms = options.gradientNorms
        ? own(await device.ledger.storage('norms of gradients', METRICS_SLOTS * 4))
        : undefined;
      const faults = own(await FaultRing.create(device, METRICS_SLOTS, parameters.layout.entries));

      const training = new PlanBuilder(device, STEP);
      const batch = gathered(training, train, [batchSize, ...input], { varied: true, number: mixed?.number });
      // Until the next step, for whoever wants to see it.
      for (const tensor of [batch.x, ...Object.values(batch.labels)]) training.keep(tensor);
      training.during({ pass: 'update' }, () => parameters.narrow(training));
      const { narrowed } = parameters;
      const pass = { ...parameters.trained, narrowed, training: true };
      const forward = buildForward(training, layers, batch.x, pass);
      const gradient = training.tensor('logits dx', forward.logits.shape, forward.logits.type);
      softmaxCrossEntropy(training, {
        logits: forward.logits,
        ...batch.labels,
        metrics: ringOfMetrics(metrics),
        gradient,
        smoothing: labelSmoothing ?? 0,
        scaling: parameters.scaling,
      });
      buildBackward(training, forward, gradient, parameters.gradient);
      training.during({ pass: 'update' }, () => {
        const { flat } = parameters;
        if (norms)
          tellGradientNorm(training, flat.gradients, placedIn(norms, [METRICS_SLOTS]), parameters.scaling);
        const factors = gradientFactors(training, flat.gradients, {
          clipNorm,
          scaling: parameters.scaling,
          patience: mixed?.scaling.patience,
        });
        const decayed = settings.decay1d ? {} : { decayed: decayTable(training, parameters.layout) };
        optimizer.plan(training, { ...flat, ...decayed, factors, faults: faults.tensor }, settings);
        for (const { values, average } of parameters.averaged) moveAverage(training, values, average);
      });

      const compiled = [
        training.compile(ring, { limit: options.activationLimit }).then(own),
        Answerer.create(device, {
          layers: forwardLayers(device, options, [1, ...input]),
          input,
          parameters,
        }).then(own),
      ] as const;
      // Where one fails, the other is there a moment later, to be given back.
      await Promise.allSettled(compiled);
      const [trainPlan, answerer] = await Promise.all(compiled);
      const samples = { train, ...(test ? { test } : {}) };
      return new Trainer(
        device,
        options,
        parameters,
        readback,
        samples,
        ring,
        metrics,
        norms,
        faults,
        trainPlan,
        batch,
        answerer,
      );
    } catch (error) {
      for (const thing of made) thing.destroy();
      throw error;
    }
  }

  /** What one training step is, for profiles. Running it repeats the step in the ring's first slot. */
  get plan(): Plan {
    return this.trainPlan;
  }

  /**
   * Submits training steps, each a command buffer of its own, all in one submit; does not wait for them.
   * @param steps at most MAX_STEPS
   */
  submit(steps: readonly TrainStep[]): void {
    const { device, ring, trainPlan } = this;
    device.requireAlive();
    if (steps.length === 0 || steps.length > MAX_STEPS)
      throw new Error(`wgrad bug: ${steps.length} steps in one submit`);
    steps.forEach((step, i) => {
      const metricsSlot = (this.steps + i) % METRICS_SLOTS;
      packStep(this.slots, i * ring.slotBytes, { ...step, metricsSlot });
    });
    for (const slots of slotsFrom(this.steps, steps.length)) this.faults.clear(slots);
    device.queue.writeBuffer(ring.buffer.raw, 0, this.slots.buffer, 0, steps.length * ring.slotBytes);
    const commands = steps.map((_, i) => {
      const encoder = device.raw.createCommandEncoder();
      const pass = encoder.beginComputePass();
      trainPlan.encode(pass, i * ring.slotBytes);
      pass.end();
      return encoder.finish();
    });
    device.queue.submit(commands);
    this.steps += steps.length;
    this.lastStep = steps[steps.length - 1];
  }

  /** The metrics of the last `count` submitted steps, oldest first. Waits for them. */
  async readMetrics(count: number): Promise<StepMetrics[]> {
    if (count > METRICS_SLOTS || count > this.steps) throw new Error(`wgrad bug: metrics of ${count} steps`);
    const read = async (slots: Slots): Promise<StepMetrics[]> => {
      const bytes = METRICS_FLOATS * 4;
      const { first, count: length } = slots;
      const range = { buffer: this.metrics, offset: first * bytes, bytes: length * bytes };
      const { norms: buffer } = this;
      const [numbers, faults, norms] = await Promise.all([
        this.readback.floats(range),
        this.faults.read(this.readback, slots),
        buffer && this.readback.floats({ buffer, offset: first * 4, bytes: length * 4 }),
      ]);
      return faults.map((fault, i) => ({
        loss: numbers[i * METRICS_FLOATS] / this.options.batchSize,
        accuracy: numbers[i * METRICS_FLOATS + 1] / this.options.batchSize,
        ...(norms && { gradientNorm: norms[i] }),
        ...(fault && { fault }),
      }));
    };
    return (await Promise.all(slotsFrom(this.steps - count, count).map(read))).flat();
  }

  /**
   * The network's loss and predictions over a whole set.
   * @param goOn asked now and then; where it returns false, the evaluation ends early with undefined
   */
  async evaluate(split: Split, goOn: () => boolean = () => true): Promise<SetResults | undefined> {
    const samples = this.samples[split];
    const set = this.options[split];
    if (!samples || !set) throw new Failure('not-found', `there is no ${split} set to evaluate on`);
    const { device, options, parameters, readback } = this;
    this.evaluators[split] ??= Evaluator.create(device, {
      input: options.input,
      parameters,
      samples,
      within: this.trainPlan,
      layers: (input) => forwardLayers(device, options, input),
      metrics: ringOfMetrics(this.metrics),
      slot: METRICS_SLOTS,
    });
    const evaluator = await this.evaluators[split];
    return evaluator.run(readback, set.labels, options.classes, goOn);
  }

  /**
   * The network's answer for one image: probabilities of the classes.
   * @param image C x H x W bytes
   */
  async predict(image: Uint8Array): Promise<Float32Array<ArrayBuffer>> {
    return this.answerer.answer(this.readback, this.normalised(image));
  }

  /** What looks into the network; made when it is first asked for. */
  inspector(): Promise<Inspector> {
    const { device, options, parameters, readback } = this;
    const { input } = options;
    const layers = forwardLayers(device, options, [1, ...input]);
    const make = async () => {
      const { Inspector } = await inspecting();
      return Inspector.create(device, { layers, input, ...parameters.answering }, readback);
    };
    this.inspecting ??= make().catch((error: unknown) => {
      // There may be memory for it later.
      this.inspecting = undefined;
      throw error;
    });
    return this.inspecting;
  }

  /**
   * The batch of the last submitted step; undefined before the first. Its copy is the caller's to make.
   */
  async seenBatch(): Promise<SeenBatch | undefined> {
    if (this.steps === 0) return undefined;
    const { device, trainPlan, batch, readback } = this;
    const { SeenBatch } = await seeing();
    this.seeing ??= SeenBatch.create(device, trainPlan, batch, readback);
    return this.seeing;
  }

  /** What the last submitted step took; undefined before the first. */
  get last(): TrainStep | undefined {
    return this.lastStep;
  }

  /**
   * An image as it enters the network.
   * @param image C x H x W bytes
   * @throws Failure('bad-input') if it has another size
   */
  normalised(image: Uint8Array): Float32Array<ArrayBuffer> {
    const { input, normalisation } = this.options;
    return normalisedImage(image, input, normalisation);
  }

  destroy(): void {
    const { parameters, readback, samples, ring, metrics, norms, faults, trainPlan, answerer } = this;
    const owned = [parameters, readback, ring.buffer, metrics, faults, trainPlan, answerer];
    for (const thing of [...owned, ...Object.values(samples)]) thing.destroy();
    norms?.destroy();
    for (const made of [this.inspecting, this.seeing, ...Object.values(this.evaluators)]) {
      made?.then(
        (thing) => thing.destroy(),
        () => undefined,
      );
    }
  }
}

/** Of every slot, the sum of losses and how many were right. */
const ringOfMetrics = (metrics: GpuBuffer): Tensor => placedIn(metrics, [METRICS_SLOTS + 1, METRICS_FLOATS]);

/** The slots of `count` steps from step `first` on, in order: two pieces where they go round the ring's end. */
function slotsFrom(first: number, count: number): Slots[] {
  const slot = first % METRICS_SLOTS;
  const beforeWrap = Math.min(count, METRICS_SLOTS - slot);
  return [
    { first: slot, count: beforeWrap },
    ...(beforeWrap < count ? [{ first: 0, count: count - beforeWrap }] : []),
  ];
}

/** The layers for a forward pass alone, over any number of images. */
const forwardLayers = (
  device: Device,
  { layers, choices }: TrainerOptions,
  input: Shape,
): readonly Layer[] => (choices ? withChoicesFor(device, layers, input, choices) : layers);
