/**
 * Inference on any number of images with weights that are data: bytes go to the device, which normalises them as in
 * training, and logits come back. Images are processed in batches, of which the last may be partial.
 */
import { owning, type Owned } from '../base/owned.ts';
import { assert } from '../base/assert.ts';
import { ceilDiv, elements, type Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import type { GpuBuffer } from '../gpu/ledger.ts';
import { Readback } from '../gpu/readback.ts';
import { gathered, writtenRing } from './batch.ts';
import { buildForward, inferShapes, layoutParameters, type Layer } from './network.ts';
import type { KnownChoices } from './ops/conv/choice/db.ts';
import { chooseAll, withChoices, type Pin } from './ops/conv/choice/layers.ts';
import { ParameterStore, type StateDict } from './parameters.ts';
import { PlanBuilder, type Plan, type StepRing, type Tensor } from './plan.ts';
import { DeviceSamples, type Normalisation } from './samples.ts';

export interface InferenceOptions {
  layers: readonly Layer[];
  /** [C, H, W] of an image. */
  input: Shape;
  /** Parameters and buffers of the layers. */
  parameters: StateDict;
  normalisation: Normalisation;
  /** Images in a forward pass. */
  batchSize: number;
  /** The most images in one call of `run`; with fewer, less memory is allocated. */
  count: number;
  /** Tuning results. Default: convolution algorithms are predicted. */
  known?: KnownChoices;
  /** Convolution algorithms that are chosen by hand. */
  pins?: readonly Pin[];
}

/** Milliseconds by the wall clock; each phase ends when the device has finished it. */
export interface InferenceTimes {
  /** Writing the images' bytes to the device. */
  uploadMs: number;
  /** Normalisation and all forward passes. */
  computeMs: number;
  /** Reading the logits back. */
  readMs: number;
}

export interface Inferred extends InferenceTimes {
  /** count x classes */
  logits: Float32Array<ArrayBuffer>;
}

/** The most bytes of images that are on the device at the same time, unless one batch has more. */
const CHUNK_BYTES = 2 ** 26;

interface Parts {
  plan: Plan;
  samples: DeviceSamples;
  /** One slot per batch of a chunk. */
  ring: StepRing;
  logits: Tensor;
  /** The logits of a chunk. */
  results: GpuBuffer;
  readback: Readback;
  /** Values in an image, and in its logits. */
  size: number;
  classes: number;
  owned: Owned;
}

export class Inference {
  private constructor(
    private readonly device: Device,
    readonly batchSize: number,
    private readonly parts: Parts,
  ) {}

  /** @throws Failure('bad-input') if parameters are missing or of other shapes than the layers' */
  static async load(device: Device, options: InferenceOptions): Promise<Inference> {
    const { input, parameters, normalisation, known, pins = [], batchSize, count } = options;
    const size = elements(input);
    const shape = [batchSize, ...input];
    const wanted = Math.min(ceilDiv(count, batchSize), Math.floor(CHUNK_BYTES / (batchSize * size)));
    const batches = Math.max(1, wanted);
    const layers = withChoices(options.layers, chooseAll(device, options.layers, shape, { pins, known }));
    const shapes = inferShapes(layers, shape);
    const classes = elements(shapes[shapes.length - 1].output) / batchSize;
    return owning(async (owned) => {
      const { own } = owned;
      const store = own(await ParameterStore.create(device, layoutParameters(shapes), undefined));
      store.load(parameters);
      const samples = own(
        await DeviceSamples.reserve(device, {
          name: 'inference',
          count: batches * batchSize,
          shape: input,
          normalisation,
        }),
      );
      const steps = Array.from({ length: batches }, (_, i) => ({
        metricsSlot: 0,
        indices: Uint32Array.from({ length: batchSize }, (__, j) => i * batchSize + j),
      }));
      const ring = await writtenRing(device, batchSize, steps);
      own(ring.buffer);
      const builder = new PlanBuilder(device, 'inference');
      const { x } = gathered(builder, samples, shape);
      const { logits } = await buildForward(builder, layers, x, { ...store.forInference, training: false });
      builder.keep(logits);
      const plan = own(await builder.compile(ring));
      const results = own(await device.ledger.storage('logits', batches * batchSize * classes * 4));
      const readback = own(new Readback(device));
      const parts = { plan, samples, ring, logits, results, readback, size, classes, owned };
      return new Inference(device, batchSize, parts);
    });
  }

  /** One forward pass over a batch, for profiles. */
  get plan(): Plan {
    return this.parts.plan;
  }

  /** The network's number of outputs. */
  get classes(): number {
    return this.parts.classes;
  }

  /**
   * @param images count x C x H x W bytes
   * @param shouldContinue called now and then with the number of images done; if it returns false, the work ends early
   *   and returns undefined
   */
  async run(
    images: Uint8Array,
    shouldContinue: (done: number) => boolean = () => true,
  ): Promise<Inferred | undefined> {
    const { size, classes, samples } = this.parts;
    const count = images.length / size;
    assert(Number.isInteger(count), `${images.length} bytes are no images of ${size}`);
    const logits = new Float32Array(count * classes);
    const times: InferenceTimes = { uploadMs: 0, computeMs: 0, readMs: 0 };
    for (let first = 0; first < count; first += samples.count) {
      const length = Math.min(samples.count, count - first);
      const goOn = (done: number) => shouldContinue(first + done);
      const chunk = await this.runChunk(images.subarray(first * size, (first + length) * size), length, goOn);
      if (!chunk) return undefined;
      logits.set(chunk.logits, first * classes);
      for (const phase of ['uploadMs', 'computeMs', 'readMs'] as const) times[phase] += chunk[phase];
    }
    return { logits, ...times };
  }

  destroy(): void {
    this.parts.owned.destroy();
  }

  private async runChunk(
    images: Uint8Array,
    count: number,
    shouldContinue: (done: number) => boolean,
  ): Promise<Inferred | undefined> {
    const { device, batchSize } = this;
    const { plan, samples, ring, results, readback, classes } = this.parts;
    device.requireAlive();
    const start = performance.now();
    samples.write(images);
    await device.idle();
    const uploaded = performance.now();
    const { buffer, offset } = plan.rangeOf(this.parts.logits);
    for (let first = 0, slot = 0; first < count; first += batchSize, slot++) {
      const length = Math.min(batchSize, count - first);
      const encoder = device.raw.createCommandEncoder();
      const pass = encoder.beginComputePass();
      plan.encode(pass, slot * ring.slotBytes);
      pass.end();
      const to = first * classes * 4;
      encoder.copyBufferToBuffer(buffer.raw, offset, results.raw, to, length * classes * 4);
      device.queue.submit([encoder.finish()]);
      // Processors are slow: check after every batch whether to stop.
      if (device.onProcessor) await device.idle();
      if (!shouldContinue(first + length)) return undefined;
    }
    await device.idle();
    const computed = performance.now();
    const logits = await readback.floats({ buffer: results, offset: 0, bytes: count * classes * 4 });
    const read = performance.now();
    return { logits, uploadMs: uploaded - start, computeMs: computed - uploaded, readMs: read - computed };
  }
}
