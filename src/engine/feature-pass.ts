/**
 * The forward pass over several images at once: the logits, and the features, which are what the last layer with
 * parameters reads.
 */
import { assert } from '../base/assert.ts';
import { elements, type Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import type { GpuBuffer } from '../gpu/ledger.ts';
import type { Readback } from '../gpu/readback.ts';
import { IMAGES } from './graph.ts';
import { buildForward, inferShapes, type Layer, type LayerShape } from './network.ts';
import type { NetworkState } from './parameter-copy.ts';
import { placedIn, PlanBuilder, type Plan, type Tensor } from './plan.ts';

export interface FeaturePassOptions {
  /** The network for a number of images. @param input [N, C, H, W] */
  layers(input: Shape): readonly Layer[];
  /** [C, H, W] */
  input: Shape;
  state: NetworkState;
  readback: Readback;
}

export interface Features {
  /** [images, classes] */
  logits: Float32Array<ArrayBuffer>;
  /** [images, values] */
  features: Float32Array<ArrayBuffer>;
}

/** Most images of a pass, and about as many input values. */
const MOST_IMAGES = 64;
const MOST_VALUES = 2 ** 22;

/** The layer whose output is the features; IMAGES if the only layer with parameters is the first. */
function featurePlace(shapes: readonly LayerShape[]): number {
  const last = shapes.findLastIndex(({ parameters }) => parameters.length > 0);
  return last < 0 ? IMAGES : shapes[last].sources[0];
}

export class FeaturePass {
  private constructor(
    private readonly plan: Plan,
    private readonly images: GpuBuffer,
    private readonly logits: Tensor,
    /** Undefined where the images are the features. */
    private readonly features: Tensor | undefined,
    /** Images per pass. */
    private readonly batch: number,
    private readonly size: number,
    private readonly device: Device,
    private readonly readback: Readback,
  ) {}

  static async create(
    device: Device,
    { layers: layersFor, input, state, readback }: FeaturePassOptions,
  ): Promise<FeaturePass> {
    const size = elements(input);
    const batch = Math.max(1, Math.min(MOST_IMAGES, Math.floor(MOST_VALUES / size)));
    const shape = [batch, ...input];
    const layers = layersFor(shape);
    const images = await device.ledger.storage('images for features', batch * size * 4);
    try {
      const builder = new PlanBuilder(device, 'features');
      const { parameters, buffers } = state;
      const pass = { parameters, buffers, training: false };
      const { logits, outputs } = buildForward(builder, layers, placedIn(images, shape), pass);
      const place = featurePlace(inferShapes(layers, shape));
      const features = place === IMAGES ? undefined : outputs[place];
      // A view of the images lies in their buffer.
      const own = features?.storage.home === undefined ? features : undefined;
      builder.keep(logits);
      if (own) builder.keep(own);
      const plan = await builder.compile();
      return new FeaturePass(plan, images, logits, own, batch, size, device, readback);
    } catch (error) {
      images.destroy();
      throw error;
    }
  }

  /** FLOP of one image. */
  get flop(): number {
    return this.plan.dispatches.reduce((sum, { flop }) => sum + flop, 0) / this.batch;
  }

  /** @param images normalised, C x H x W values each */
  async run(images: Float32Array<ArrayBuffer>): Promise<Features> {
    const { batch, size, plan, readback } = this;
    assert(images.length % size === 0, `${images.length} values are no whole images`);
    const count = images.length / size;
    const perImage = (tensor: Tensor) => elements(tensor.shape) / batch;
    const logits = new Float32Array(count * perImage(this.logits));
    const features = this.features ? new Float32Array(count * perImage(this.features)) : images;
    for (let first = 0; first < count; first += batch) {
      const length = Math.min(batch, count - first);
      this.device.requireAlive();
      const part = images.subarray(first * size, (first + length) * size);
      this.device.queue.writeBuffer(this.images.raw, 0, part);
      plan.run();
      const take = async (tensor: Tensor, to: Float32Array) => {
        const each = perImage(tensor);
        const range = { ...plan.rangeOf(tensor), bytes: length * each * 4 };
        to.set(await readback.floats(range), first * each);
      };
      await Promise.all([take(this.logits, logits), this.features && take(this.features, features)]);
    }
    return { logits, features };
  }

  destroy(): void {
    this.plan.destroy();
    this.images.destroy();
  }
}
