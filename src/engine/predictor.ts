/**
 * Inference: the forward pass over a fixed number of images, of the network that trains or of one loaded from weights.
 */
import { owning, type Owned } from '../base/owned.ts';
import { Failure } from '../base/result.ts';
import { elements, showShape, type Shape } from '../base/shape.ts';
import { softmax } from '../base/softmax.ts';
import type { Device } from '../gpu/device.ts';
import { wholeBuffer, type BufferRange, type GpuBuffer } from '../gpu/ledger.ts';
import { Readback } from '../gpu/readback.ts';
import { channelScales } from './gather/index.ts';
import { buildForward, inferShapes, layoutParameters, type Layer } from './network.ts';
import { ParameterStore, type StateDict } from './parameters.ts';
import { placedIn, PlanBuilder, type Plan, type Tensor } from './plan.ts';
import type { Normalisation } from './samples.ts';

/** A network with its weights as data. */
export interface LoadedNetwork {
  layers: readonly Layer[];
  /** [N, C, H, W] */
  input: Shape;
  /** Parameters and buffers of the layers. */
  parameters: StateDict;
}

export interface PredictorOptions {
  layers: readonly Layer[];
  /** [N, C, H, W] */
  input: Shape;
  /** Parameters and buffers on the GPU. */
  store: ParameterStore;
  readback: Readback;
}

interface Parts {
  /** One forward pass. */
  plan: Plan;
  images: GpuBuffer;
  logits: Tensor;
  options: PredictorOptions;
  owned: Owned;
}

export class Predictor {
  private constructor(
    private readonly device: Device,
    private readonly parts: Parts,
  ) {}

  /** Predicts with parameters that the caller owns. */
  static create(device: Device, options: PredictorOptions): Promise<Predictor> {
    return owning((owned) => Predictor.make(device, options, owned));
  }

  /** Predicts with its own parameters. @throws Failure('bad-input') if some are missing or of other shapes */
  static async load(device: Device, { layers, input, parameters }: LoadedNetwork): Promise<Predictor> {
    return owning(async (owned) => {
      const { own } = owned;
      const layout = layoutParameters(inferShapes(layers, input));
      const store = own(await ParameterStore.create(device, layout, undefined));
      store.load(parameters);
      const readback = own(new Readback(device));
      return Predictor.make(device, { layers, input, store, readback }, owned);
    });
  }

  private static async make(device: Device, options: PredictorOptions, owned: Owned): Promise<Predictor> {
    const { layers, input, store } = options;
    const images = owned.own(await device.ledger.storage('images to predict', elements(input) * 4));
    const builder = new PlanBuilder(device, 'prediction');
    const pass = { ...store.forInference, training: false };
    const { logits } = buildForward(builder, layers, placedIn(images, input), pass);
    builder.keep(logits);
    const plan = owned.own(await builder.compile());
    return new Predictor(device, { plan, images, logits, options, owned });
  }

  /** One forward pass, for profiles. */
  get plan(): Plan {
    return this.parts.plan;
  }

  /** Where the normalised images go, and where the logits of one forward pass are. */
  get places(): { images: BufferRange; logits: BufferRange } {
    const { plan, images, logits } = this.parts;
    return { images: wholeBuffer(images), logits: plan.rangeOf(logits) };
  }

  /** The number of values in parameters and buffers. */
  get parameters(): number {
    const { count, buffers } = this.parts.options.store.layout;
    return count + buffers.entries.reduce((sum, { length }) => sum + length, 0);
  }

  /**
   * The last layer's output.
   * @param images normalised; their number is that of the plan
   */
  async logits(images: Float32Array<ArrayBuffer>): Promise<Float32Array<ArrayBuffer>> {
    const { plan, images: buffer, logits, options } = this.parts;
    this.device.requireAlive();
    this.device.queue.writeBuffer(buffer.raw, 0, images);
    plan.run();
    return options.readback.floats(plan.rangeOf(logits));
  }

  /** The classes' probabilities for one image. @param image as `normalisedImage` returns it */
  async probabilities(image: Float32Array<ArrayBuffer>): Promise<Float32Array<ArrayBuffer>> {
    return softmax(await this.logits(image));
  }

  destroy(): void {
    this.parts.owned.destroy();
  }
}

/**
 * An image as a network's input.
 * @param image C x H x W bytes
 * @throws Failure('bad-input') if its size is not that of `input`, [C, H, W]
 */
export function normalisedImage(
  image: Uint8Array,
  input: Shape,
  { mean, std }: Normalisation,
): Float32Array<ArrayBuffer> {
  if (image.length !== elements(input)) {
    throw new Failure(
      'bad-input',
      `expected an image of ${showShape(input)}, ${elements(input)} bytes; found ${image.length}`,
    );
  }
  const scales = channelScales(mean, std);
  const plane = image.length / input[0];
  return Float32Array.from(image, (byte, i) => {
    const channel = 2 * Math.floor(i / plane);
    return (byte / 255 - scales[channel]) / scales[channel + 1];
  });
}
