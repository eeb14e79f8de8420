/**
 * One network on one device, ready to train, evaluate and answer: all its plans are compiled, all its memory is there.
 * Which samples a step takes and with what learning rate, the caller says; a step is a plan run once.
 */
import type { Augmentation } from '../base/augmentation.ts';
import { Failure } from '../base/result.ts';
import { elements, showShape, type Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import type { GpuBuffer } from '../gpu/ledger.ts';
import { Readback } from '../gpu/readback.ts';
import { moveAverage } from './average/index.ts';
import { FaultRing, type Fault, type Slots } from './faults.ts';
import { channelScales, gatherBatch } from './gather/index.ts';
import { Inspector } from './inspect.ts';
import { answerConfidences } from './loss/confidence.ts';
import { gradientFactors } from './gradients/index.ts';
import { METRICS_FLOATS, softmaxCrossEntropy, type SampleTensors } from './loss/index.ts';
import { requireMixed, type MixedPrecision } from './mixed.ts';
import { buildBackward, buildForward, inferShapes, layoutParameters, type Layer } from './network.ts';
import type { Optimizer, OptimizerSettings } from './optimizers/optimizer.ts';
import { decayTable } from './optimizers/update.ts';
import { ParameterStore } from './parameters.ts';
import { withChoices, withChoicesFor, type ConvChoices } from './ops/conv/choice/layers.ts';
import { placedIn, PlanBuilder, type NumberType, type Plan, type StepRing, type Tensor } from './plan.ts';
import { DeviceSamples, type Normalisation, type SampleSet } from './samples.ts';
import { SeenBatch, type BatchTensors } from './seen.ts';
import { packStep, stepSlotBytes, type StepFields } from './step.ts';

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
  /** How training images are varied, by each step's seed and `mix`. Default: not at all. */
  augmentation?: Augmentation;
  /** Gradients with a larger norm, over all parameters, are scaled down to it. Default: none. */
  clipNorm?: number;
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
  /** What of it is not finite, beside the loss. */
  fault?: Fault;
}

export interface Evaluation {
  /** Mean over the set. */
  loss: number;
  /** 0 to 1 */
  accuracy: number;
  /** The answered class of every sample. */
  predictions: Uint32Array;
  /** Of every sample: the probability of the answered class. */
  confidences: Float32Array;
  losses: Float32Array;
  /** classes x classes counts: row is the true class, column the answer. */
  confusion: Uint32Array;
}

/** The name of a training step's plan. */
export const STEP = 'step';
/** Steps that one submit can hold. */
export const MAX_STEPS = 64;
/** Steps whose metrics can wait to be read. */
const METRICS_SLOTS = 1024;
/** Images evaluated at once, at most. */
const EVALUATION_BATCH = 250;

interface EvaluationPlan {
  plan: Plan;
  samples: SampleTensors & { confidences: Tensor };
  /** One ring slot a batch: the whole evaluation can be submitted without waiting. */
  ring: StepRing;
  batch: number;
  /** Losses of all samples, then predictions, then confidences. */
  results: GpuBuffer;
}

export class Trainer {
  private steps = 0;
  private readonly evaluations: Partial<Record<Split, Promise<EvaluationPlan>>> = {};
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
    private readonly faults: FaultRing,
    private readonly trainPlan: Plan,
    private readonly batch: BatchTensors,
    private readonly answering: { plan: Plan; images: GpuBuffer; logits: Tensor },
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
      const faults = own(await FaultRing.create(device, METRICS_SLOTS, parameters.layout.entries));
      const images = own(await device.ledger.storage('images to answer', elements(input) * 4));

      const training = new PlanBuilder(device, STEP);
      const batch = gathered(training, train, [batchSize, ...input], {
        ...(options.augmentation ? { augmentation: options.augmentation } : {}),
        number: mixed?.number,
      });
      // Until the next step, for whoever wants to see it.
      for (const tensor of [batch.x, ...Object.values(batch.labels)]) training.keep(tensor);
      parameters.narrow(training);
      const { narrowed } = parameters;
      const pass = { ...parameters.trained, narrowed, training: true };
      const forward = buildForward(training, layers, batch.x, pass);
      const gradient = training.tensor('logits dx', forward.logits.shape, forward.logits.type);
      const ringOfMetrics = placedIn(metrics, [METRICS_SLOTS + 1, METRICS_FLOATS]);
      softmaxCrossEntropy(training, {
        logits: forward.logits,
        ...batch.labels,
        metrics: ringOfMetrics,
        gradient,
        smoothing: labelSmoothing ?? 0,
        scaling: parameters.scaling,
      });
      buildBackward(training, forward, gradient, parameters.gradient);
      training.during({ pass: 'update' }, () => {
        const { flat } = parameters;
        const factors = gradientFactors(training, flat.gradients, {
          ...{ clipNorm, scaling: parameters.scaling, patience: mixed?.scaling.patience },
        });
        const decayed = settings.decay1d ? {} : { decayed: decayTable(training, parameters.layout) };
        optimizer.plan(training, { ...flat, ...decayed, factors, faults: faults.tensor }, settings);
        for (const { values, average } of parameters.averaged) moveAverage(training, values, average);
      });

      const single = new PlanBuilder(device, 'answer');
      const one = placedIn(images, [1, ...input]);
      const { logits } = buildForward(single, forwardLayers(device, options, one.shape), one, {
        ...parameters.answering,
        training: false,
      });
      single.keep(logits);

      const compiled = [
        training.compile(ring, { limit: options.activationLimit }).then(own),
        single.compile().then(own),
      ];
      // Where one fails, the other is there a moment later, to be given back.
      await Promise.allSettled(compiled);
      const [trainPlan, answerPlan] = await Promise.all(compiled);
      const answering = { plan: answerPlan, images, logits };
      const samples = { train, ...(test ? { test } : {}) };
      return new Trainer(
        device,
        options,
        parameters,
        readback,
        samples,
        ring,
        metrics,
        faults,
        trainPlan,
        batch,
        answering,
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
      const [numbers, faults] = await Promise.all([
        this.readback.floats(range),
        this.faults.read(this.readback, slots),
      ]);
      return faults.map((fault, i) => ({
        loss: numbers[i * METRICS_FLOATS] / this.options.batchSize,
        accuracy: numbers[i * METRICS_FLOATS + 1] / this.options.batchSize,
        ...(fault && { fault }),
      }));
    };
    return (await Promise.all(slotsFrom(this.steps - count, count).map(read))).flat();
  }

  /**
   * The network's loss and answers over a whole set.
   * @param goOn asked now and then; answering false ends it early with undefined
   */
  async evaluate(split: Split, goOn: () => boolean = () => true): Promise<Evaluation | undefined> {
    const samples = this.samples[split];
    const set = this.options[split];
    if (!samples || !set) throw new Failure('not-found', `there is no ${split} set to evaluate on`);
    this.evaluations[split] ??= this.compileEvaluation(samples);
    const { plan, samples: out, ring, batch, results } = await this.evaluations[split];
    const { device } = this;
    device.requireAlive();
    const parts = [out.losses, out.predictions, out.confidences].map((tensor) => plan.rangeOf(tensor));
    for (let first = 0, slot = 0; first < samples.count; first += batch, slot++) {
      const count = Math.min(batch, samples.count - first);
      const encoder = device.raw.createCommandEncoder();
      const pass = encoder.beginComputePass();
      plan.encode(pass, slot * ring.slotBytes);
      pass.end();
      parts.forEach(({ buffer, offset }, i) => {
        const to = (i * samples.count + first) * 4;
        encoder.copyBufferToBuffer(buffer.raw, offset, results.raw, to, count * 4);
      });
      device.queue.submit([encoder.finish()]);
      // A software GPU takes long; let whoever wants to stop be heard.
      if (device.adapter.software) await device.idle();
      if (!goOn()) return undefined;
    }
    const { count } = samples;
    const bytes = await this.readback.read({ buffer: results, offset: 0, bytes: count * 12 });
    const answers = {
      losses: new Float32Array(bytes, 0, count),
      predictions: new Uint32Array(bytes, count * 4, count),
      confidences: new Float32Array(bytes, count * 8, count),
    };
    return summarise(answers, set.labels, this.options.classes);
  }

  /**
   * The network's answer for one image: probabilities of the classes.
   * @param image C x H x W bytes
   */
  async predict(image: Uint8Array): Promise<Float32Array<ArrayBuffer>> {
    const { plan, images, logits } = this.answering;
    const x = this.normalised(image);
    this.device.requireAlive();
    this.device.queue.writeBuffer(images.raw, 0, x);
    plan.run();
    return softmax(await this.readback.floats(plan.rangeOf(logits)));
  }

  /** What looks into the network; made when it is first asked for. */
  inspector(): Promise<Inspector> {
    const { device, options, parameters, readback } = this;
    const { input } = options;
    const layers = forwardLayers(device, options, [1, ...input]);
    const make = () => Inspector.create(device, { layers, input, ...parameters.answering }, readback);
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
    if (image.length !== elements(input)) {
      throw new Failure(
        'bad-input',
        `expected an image of ${showShape(input)}, ${elements(input)} bytes; found ${image.length}`,
      );
    }
    const scales = channelScales(normalisation.mean, normalisation.std);
    const plane = image.length / input[0];
    return Float32Array.from(image, (byte, i) => {
      const channel = 2 * Math.floor(i / plane);
      return (byte / 255 - scales[channel]) / scales[channel + 1];
    });
  }

  destroy(): void {
    const { parameters, readback, samples, ring, metrics, faults, trainPlan, answering } = this;
    const owned = [
      parameters,
      readback,
      ring.buffer,
      metrics,
      faults,
      trainPlan,
      answering.plan,
      answering.images,
    ];
    for (const thing of [...owned, ...Object.values(samples)]) thing.destroy();
    for (const evaluation of Object.values(this.evaluations)) {
      const release = ({ plan, ring: slots, results }: EvaluationPlan) =>
        [plan, slots.buffer, results].forEach((t) => t.destroy());
      evaluation.then(release, () => undefined);
    }
    for (const looking of [this.inspecting, this.seeing]) {
      looking?.then(
        (made) => made.destroy(),
        () => undefined,
      );
    }
  }

  private async compileEvaluation(samples: DeviceSamples): Promise<EvaluationPlan> {
    const { device, options } = this;
    const batch = Math.min(EVALUATION_BATCH, samples.count);
    const batches = Math.ceil(samples.count / batch);
    const builder = new PlanBuilder(device, 'evaluation');
    const { x, labels } = gathered(builder, samples, [batch, ...options.input]);
    const layers = forwardLayers(device, options, x.shape);
    const { logits } = buildForward(builder, layers, x, { ...this.parameters.answering, training: false });
    const metrics = placedIn(this.metrics, [METRICS_SLOTS + 1, METRICS_FLOATS]);
    const out = softmaxCrossEntropy(builder, { logits, ...labels, metrics });
    const confidences = answerConfidences(builder, logits);
    for (const tensor of [out.losses, out.predictions, confidences]) builder.keep(tensor);
    const ring = await createRing(device, batch, batches);
    const results = await device.ledger.storage('evaluation', samples.count * 12);
    const slots = new DataView(new ArrayBuffer(batches * ring.slotBytes));
    for (let i = 0; i < batches; i++) {
      const count = Math.min(batch, samples.count - i * batch);
      const indices = Uint32Array.from({ length: count }, (_, j) => i * batch + j);
      packStep(slots, i * ring.slotBytes, { metricsSlot: METRICS_SLOTS, indices });
    }
    device.queue.writeBuffer(ring.buffer.raw, 0, slots.buffer);
    // Never at once with a step, and what it keeps is copied before anything else runs.
    const plan = await builder.compile(ring, { within: this.trainPlan });
    return { plan, samples: { ...out, confidences }, ring, batch, results };
  }
}

/** The slots of `count` steps from step `first` on, in order: two pieces where they go round the ring's end. */
function slotsFrom(first: number, count: number): Slots[] {
  const slot = first % METRICS_SLOTS;
  const beforeWrap = Math.min(count, METRICS_SLOTS - slot);
  return [
    { first: slot, count: beforeWrap },
    ...(beforeWrap < count ? [{ first: 0, count: count - beforeWrap }] : []),
  ];
}

async function createRing(device: Device, batchSize: number, slots: number): Promise<StepRing> {
  const slotBytes = stepSlotBytes(batchSize);
  return { buffer: await device.ledger.storage('steps', slots * slotBytes), slotBytes };
}

/** Adds the gathering of a batch to `plan`. */
function gathered(
  plan: PlanBuilder,
  { images, imageLabels, channels }: DeviceSamples,
  shape: Shape,
  { augmentation, number }: { augmentation?: Augmentation; number?: NumberType | undefined } = {},
) {
  const x = plan.tensor('images', shape, number);
  const labels = {
    labels: plan.tensor('labels', [shape[0]]),
    ...(augmentation?.mixup ? { partners: plan.tensor('labels of partners', [shape[0]]) } : {}),
  };
  gatherBatch(plan, { images, imageLabels, channels, x, ...labels }, augmentation);
  return { x, labels };
}

/** The layers for a forward pass alone, over any number of images. */
const forwardLayers = (
  device: Device,
  { layers, choices }: TrainerOptions,
  input: Shape,
): readonly Layer[] => (choices ? withChoicesFor(device, layers, input, choices) : layers);

function softmax(logits: Float32Array): Float32Array<ArrayBuffer> {
  const largest = Math.max(...logits);
  const powers = Array.from(logits, (logit) => Math.exp(logit - largest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return Float32Array.from(powers, (power) => power / sum);
}

function summarise(
  answers: Pick<Evaluation, 'losses' | 'predictions' | 'confidences'>,
  labels: Uint8Array,
  classes: number,
): Evaluation {
  const { losses, predictions } = answers;
  const confusion = new Uint32Array(classes * classes);
  let loss = 0;
  let right = 0;
  for (let i = 0; i < losses.length; i++) {
    loss += losses[i];
    if (predictions[i] === labels[i]) right++;
    confusion[labels[i] * classes + predictions[i]]++;
  }
  return { loss: loss / losses.length, accuracy: right / losses.length, ...answers, confusion };
}
