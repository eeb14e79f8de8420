/** Evaluates a network on a whole set with its current parameters: loss and predictions. */
import { owning, type Owned } from '../base/owned.ts';
import type { Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import type { GpuBuffer } from '../gpu/ledger.ts';
import type { Readback } from '../gpu/readback.ts';
import { gathered, writtenRing } from './batch.ts';
import type { Views } from './gather/index.ts';
import { meanOfViews, softmaxConfidences, softmaxCrossEntropy } from './loss/index.ts';
import { buildForward, type Layer } from './network.ts';
import type { ParameterStore } from './parameters.ts';
import { PlanBuilder, type Plan, type StepRing, type Tensor } from './plan.ts';
import type { DeviceSamples } from './samples.ts';

/** The result for a whole set, and for each of its samples. */
export interface SetResults {
  /** Mean over the set. */
  loss: number;
  /** 0 to 1 */
  accuracy: number;
  /** The predicted class of every sample. */
  predictions: Uint32Array;
  /** Of every sample: the probability of the predicted class. */
  confidences: Float32Array;
  losses: Float32Array;
  /** classes x classes counts: row is the true class, column the predicted one. */
  confusion: Uint32Array;
}

export interface EvaluatorOptions {
  /** The network for a batch of some shape, with the chosen convolution algorithms. */
  layers(input: Shape): readonly Layer[];
  /** [C, H, W] */
  input: Shape;
  parameters: ParameterStore;
  samples: DeviceSamples;
  /** Of each image, whose logits are averaged. */
  views: Views;
  /** The ring of step metrics; evaluation writes to the slot that no step uses. */
  metrics: Tensor;
  slot: number;
  /** A plan whose memory this one may share: the two never run at the same time. */
  within: Plan;
}

/** Largest evaluation batch, in views of images. */
const BATCH = 250;

interface EvaluatorParts {
  /** Samples in the set, and in a batch. */
  count: number;
  batch: number;
  plan: Plan;
  /** A float or u32 per sample: losses, predictions, confidences. */
  outputs: readonly Tensor[];
  /** One slot per batch: the whole evaluation can be submitted without waiting. */
  ring: StepRing;
  /** The outputs of all samples, one after the other. */
  results: GpuBuffer;
  owned: Owned;
}

export class Evaluator {
  private constructor(
    private readonly device: Device,
    private readonly parts: EvaluatorParts,
  ) {}

  static async create(device: Device, options: EvaluatorOptions): Promise<Evaluator> {
    const { samples, input, parameters, views, metrics, slot, within } = options;
    const { count } = samples;
    const batch = Math.min(Math.floor(BATCH / views), count);
    const batches = Math.ceil(count / batch);
    const builder = new PlanBuilder(device, 'evaluation');
    const { x, labels } = gathered(builder, samples, [batch, ...input], { views });
    const { logits: all } = await buildForward(builder, options.layers(x.shape), x, {
      ...parameters.forInference,
      training: false,
    });
    const logits = views === 1 ? all : meanOfViews(builder, all, views);
    const { losses, predictions } = softmaxCrossEntropy(builder, { logits, ...labels, metrics });
    const confidences = softmaxConfidences(builder, logits);
    const outputs = [losses, predictions, confidences];
    for (const tensor of outputs) builder.keep(tensor);
    return owning(async (owned) => {
      const steps = Array.from({ length: batches }, (_, i) => ({
        metricsSlot: slot,
        indices: Uint32Array.from({ length: Math.min(batch, count - i * batch) }, (__, j) => i * batch + j),
      }));
      const ring = await writtenRing(device, batch, steps);
      owned.own(ring.buffer);
      const results = owned.own(await device.ledger.storage('evaluation', count * outputs.length * 4));
      // The results are copied before anything else runs.
      const plan = owned.own(await builder.compile(ring, { within }));
      return new Evaluator(device, { count, batch, plan, outputs, ring, results, owned });
    });
  }

  /**
   * Submits an evaluation of the whole set.
   * @param shouldContinue called now and then; if it returns false, the evaluation ends early
   * @returns whether all of it was submitted
   */
  async submit(shouldContinue: () => boolean): Promise<boolean> {
    const { device } = this;
    const { plan, ring, batch, results, count, outputs } = this.parts;
    device.requireAlive();
    const ranges = outputs.map((tensor) => plan.rangeOf(tensor));
    for (let first = 0, slot = 0; first < count; first += batch, slot++) {
      const length = Math.min(batch, count - first);
      const encoder = device.raw.createCommandEncoder();
      const pass = encoder.beginComputePass({ label: 'evaluation' });
      plan.encode(pass, slot * ring.slotBytes);
      pass.end();
      ranges.forEach(({ buffer, offset }, i) => {
        encoder.copyBufferToBuffer(buffer.raw, offset, results.raw, (i * count + first) * 4, length * 4);
      });
      device.queue.submit([encoder.finish()]);
      // Software adapters are slow: check often whether to stop.
      if (device.onProcessor) await device.idle();
      if (!shouldContinue()) return false;
    }
    return true;
  }

  /**
   * The results of the evaluation that was submitted last.
   * @param labels the true classes
   */
  async results(readback: Readback, labels: Uint8Array, classes: number): Promise<SetResults> {
    const { results, count, outputs } = this.parts;
    const bytes = await readback.read({ buffer: results, offset: 0, bytes: count * outputs.length * 4 });
    const answers = {
      losses: new Float32Array(bytes, 0, count),
      predictions: new Uint32Array(bytes, count * 4, count),
      confidences: new Float32Array(bytes, count * 8, count),
    };
    return summarise(answers, labels, classes);
  }

  destroy(): void {
    this.parts.owned.destroy();
  }
}

function summarise(
  answers: Pick<SetResults, 'losses' | 'predictions' | 'confidences'>,
  labels: Uint8Array,
  classes: number,
): SetResults {
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
